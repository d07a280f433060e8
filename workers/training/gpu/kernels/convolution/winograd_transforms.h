#pragma once

/// Winograd's F(2×2, 3×3) (Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015): a 2 × 2 patch of
/// the output of a 3 × 3 convolution needs 16 multiplications instead of 36, between sums over a 4 × 4 patch of the
/// input and sums over the filter. V is a number, or a vector of numbers with +, - and multiplication by a number.
namespace rv::workers::winograd {

/// Applies `line` to each column of `from`, then to each row.
template <int inside, int outside, class V, class Line>
constexpr void both_ways(const V (&from)[inside][inside], V (&to)[outside][outside], Line line) {
  V half[outside][inside];
  for (int j = 0; j < inside; ++j) {
    V column[inside], made[outside];
    for (int i = 0; i < inside; ++i) column[i] = from[i][j];
    line(column, made);
    for (int i = 0; i < outside; ++i) half[i][j] = made[i];
  }
  for (int i = 0; i < outside; ++i) line(half[i], to[i]);
}

/// Transforms the input.
template <class V>
constexpr void input(const V (&patch)[4][4], V (&to)[4][4]) {
  both_ways(patch, to, [](const V(&d)[4], V(&v)[4]) {
    v[0] = d[0] - d[2];
    v[1] = d[1] + d[2];
    v[2] = d[2] - d[1];
    v[3] = d[1] - d[3];
  });
}

/// Transforms the filter.
template <class V>
constexpr void filter(const V (&weights)[3][3], V (&to)[4][4]) {
  both_ways(weights, to, [](const V(&g)[3], V(&u)[4]) {
    u[0] = g[0];
    u[1] = 0.5F * (g[0] + g[1] + g[2]);
    u[2] = 0.5F * (g[0] - g[1] + g[2]);
    u[3] = g[2];
  });
}

/// Transforms the products of those two to the output.
template <class V>
constexpr void output(const V (&products)[4][4], V (&to)[2][2]) {
  both_ways(products, to, [](const V(&m)[4], V(&y)[2]) {
    y[0] = m[0] + m[1] + m[2];
    y[1] = m[1] - m[2] - m[3];
  });
}

/// Backward, the transpose of `output`: transforms the output's gradient. Its products with `input` are summed over all
/// patches.
template <class V>
constexpr void output_back(const V (&slopes)[2][2], V (&to)[4][4]) {
  both_ways(slopes, to, [](const V(&y)[2], V(&m)[4]) {
    m[0] = y[0];
    m[1] = y[0] + y[1];
    m[2] = y[0] - y[1];
    m[3] = V{} - y[1];
  });
}

/// Backward, the transpose of `filter`: transforms those sums to the filter's gradient.
template <class V>
constexpr void filter_back(const V (&sums)[4][4], V (&to)[3][3]) {
  both_ways(sums, to, [](const V(&u)[4], V(&g)[3]) {
    g[0] = u[0] + 0.5F * (u[1] + u[2]);
    g[1] = 0.5F * (u[1] - u[2]);
    g[2] = 0.5F * (u[1] + u[2]) + u[3];
  });
}

}  // namespace rv::workers::winograd
