"""A gate before slurmctld that lets clients through as a rate limit does: a bucket of tokens, one for each connection.

    slow_gate.py LISTEN CONTROLLER BUCKET REFILL LATENCY LOG

LISTEN and CONTROLLER are ports of this host, BUCKET is how many connections pass at once, REFILL how many more each
second, LATENCY the seconds that every one of them waits besides. LOG gets a line with the time of every connection. Who
finds no token waits for one, as clients of Slurm 23.02 and later do when the controller tells them to back off.
"""

import socket
import sys
import threading
import time


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # either side is gone


def serve(client, controller, latency):
    time.sleep(latency)
    try:
        server = socket.create_connection(("127.0.0.1", controller))
    except OSError:
        client.close()
        return
    back = threading.Thread(target=pump, args=(server, client))
    back.start()
    pump(client, server)
    back.join()
    client.close()
    server.close()


def main(listen, controller, bucket, refill, latency, log):
    gate = socket.create_server(("127.0.0.1", listen), backlog=128)
    tokens, last = bucket, time.monotonic()
    with open(log, "a", buffering=1, encoding="utf-8") as file:
        while True:
            client, _ = gate.accept()
            file.write(f"{time.time():.1f}\n")
            while True:
                now = time.monotonic()
                tokens, last = min(bucket, tokens + (now - last) * refill), now
                if tokens >= 1:
                    break
                time.sleep((1 - tokens) / refill)
            tokens -= 1
            threading.Thread(target=serve, args=(client, controller, latency), daemon=True).start()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5]), sys.argv[6])
