# SPDX-License-Identifier: BSD-2-Clause
"""Small servers of this machine for the tests: a LUXI socket and an HTTP(S) server. Both answer what a function of the request gives."""
import contextlib
import http.server
import json
import socketserver
import ssl
import threading

END = b"\x03"


class _LuxiHandler(socketserver.BaseRequestHandler):
    def handle(self):
        waiting = b""
        with contextlib.suppress(OSError):
            while True:
                while END not in waiting:
                    piece = self.request.recv(1 << 16)
                    if not piece:
                        return
                    waiting += piece
                message, waiting = waiting.split(END, 1)
                answer = self.server.answer(message)
                if answer is None:
                    return
                self.request.sendall(answer)


class _UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


@contextlib.contextmanager
def luxi(path, answer):
    """A LUXI server at `path`. answer(message bytes) -> bytes to send, end byte included, or None: hang up."""
    with _UnixServer(str(path), _LuxiHandler) as server:
        server.answer = answer
        yield from _serving(server, str(path))


class _HttpHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):  # noqa: N802: the base class asks for this name
        answer = self.server.answer(self)
        if answer is None:
            self.close_connection = True
            return
        status, headers, body = answer
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_):
        pass


class _HttpServer(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, *_):
        pass  # a client that hangs up is part of the tests


@contextlib.contextmanager
def web(answer, address=("127.0.0.1", 0), certificate=None):
    """An HTTP server, with TLS where a (certificate, key) is given. answer(handler) -> (status, headers, body), or None: hang up.
    Yields "HOST:PORT"."""
    with _HttpServer(address, _HttpHandler) as server:
        server.answer = answer
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*map(str, certificate))
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        yield from _serving(server, f"{server.server_address[0]}:{server.server_address[1]}")


def _serving(server, name):
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield name
    finally:
        server.shutdown()
        thread.join()


def encoded(value):
    return json.dumps(value).encode() + END
