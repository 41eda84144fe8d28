"""An agent whose words come from a test: what it is told goes to a socket, and what comes from there it says."""
import socket
import sys
import threading

line = socket.socket(socket.AF_UNIX)
line.connect(sys.argv[1])


def listen():
    while True:
        said = sys.stdin.buffer.raw.read(1 << 16)
        if not said:
            break
        line.sendall(said)
    line.shutdown(socket.SHUT_WR)


threading.Thread(target=listen, daemon=True).start()
while True:
    words = line.recv(1 << 16)
    if not words:
        break
    sys.stdout.buffer.write(words)
    sys.stdout.buffer.flush()
