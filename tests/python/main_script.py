"""A user's script: what it defines is in __main__, and travels to the job by value. Prints JSON."""
import abc
import collections
import dataclasses
import functools
import json
import math
import os.path

from calls import outcome_of, value_of, values_of

FACTOR = 3
not_used = open(os.devnull)  # can't be pickled, and no function uses it


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def scaled(x, by=FACTOR, *, offset=0):
    return x * by * FACTOR + offset


@dataclasses.dataclass
class Point:
    x: int
    y: list = dataclasses.field(default_factory=list)

    @property
    def norm(self):
        return math.hypot(self.x, *self.y)

    def moved(self):
        return Point(self.x + 1, self.y)


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self):
        """The area."""

    @classmethod
    def of(cls, *sides):
        return cls(*sides)

    @staticmethod
    def unit():
        return "m2"


class Square(Shape):
    __slots__ = ("side",)

    def __init__(self, side):
        super().__init__()
        self.side = side

    def area(self):
        return self.side ** 2


class Odd(Exception):
    """Its pickle can be written, and not read."""

    def __init__(self, first, second):
        super().__init__(first)
        self.second = second


def refuse_oddly():
    raise Odd("one", "two")


class Refused(Exception):
    """An exception of the script."""


def refuse():
    raise Refused("not today")


def counter():
    count = 0

    def up():
        nonlocal count
        count += 1
        return count

    def read():
        return count
    return up, read


def fibonacci(limit):
    def at(n):
        return n if n < 2 else at(n - 1) + at(n - 2)
    return at, limit


def use(pair):
    up, read = pair
    up()
    return up(), read()


at, ten = fibonacci(10)
refused = outcome_of(refuse).error
print(json.dumps({
    "lambda": value_of(lambda x: x + FACTOR, 4),
    "mutual": value_of(even, 10),
    "defaults": value_of(scaled, 2, offset=1),
    "partial": value_of(functools.partial(scaled, by=2), 2),
    "recursive closure": value_of(at, ten),
    "shared cell": value_of(use, counter()),
    "dataclass": [value_of(Point.moved, Point(1, [2])) == Point(2, [2]), value_of(lambda p: p.norm, Point(3, [4]))],
    "dataclass functions": value_of(lambda p: [dataclasses.replace(p, x=9).x, len(dataclasses.fields(p)),
                                               dataclasses.fields(p)[0].default is dataclasses.MISSING], Point(3, [4])),
    "own class returned": value_of(lambda square: type(square)(4), Square(2)).area(),
    "abstract": value_of(lambda: (Square.of(3).area(), Square.unit(), isinstance(Square(1), Shape))),
    "module": value_of(lambda: (os.path.basename("/a/b"), collections.Counter("aab")["a"])),
    "generator": value_of(lambda n: sum(scaled(i) for i in range(n)), 3),
    "own class raised": [type(refused) is Refused, str(refused), "in refuse" in str(refused.__cause__)],
    "exception that can't be read": "Odd: one" in str(outcome_of(refuse_oddly).error),
    "array": values_of(lambda a, b: a - b, [(5, 1), (5, 2)]),
}))
