"""Asks many questions at once, and says when each of them is answered.

waiting.py SOCKET NUMBER prints `all wait`, and then a line for each answer: the question and the moment."""

import json
import resource
import selectors
import socket
import sys
import time

resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
lines = selectors.DefaultSelector()
for number in range(int(sys.argv[2])):
    line = socket.socket(socket.AF_UNIX)
    line.connect(sys.argv[1])
    question = {
        "id": "", "session": "s", "command": f"rm -rf {number}", "cwd": "/", "digest": f"{number:064x}",
        "findings": [], "always": False,
    }
    line.sendall((json.dumps({"do": "ask", "question": question, "seconds": 600}) + "\n").encode())
    said = json.loads(line.recv(4096))
    lines.register(line, selectors.EVENT_READ, said["id"])
print("all wait", flush=True)
left = int(sys.argv[2])
while left:
    for key, _ in lines.select():
        said = json.loads(key.fileobj.recv(4096))
        moment = time.time()
        assert said["is"] == "answered", said
        print(key.data, f"{moment:.6f}", flush=True)
        lines.unregister(key.fileobj)
        key.fileobj.close()
        left -= 1
