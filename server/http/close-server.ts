import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Follows a server's connections, to close it without waiting for those that ask nothing: Node waits for a connection on which no
 * request has come yet, and clients open such ones ahead.
 * @returns a function that stops listening, lets running requests finish for so long, and then cuts them off.
 */
export function closerOf(server: Server): (graceMs: number) => Promise<void> {
  const requests = new Map<Socket, number>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    requests.set(socket, 0);
    socket.once('close', () => requests.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      requests.set(socket, (requests.get(socket) ?? 1) - 1);
      if (closing && requests.get(socket) === 0) socket.end();
    });
  });
  return async (graceMs) => {
    if (!server.listening) return;
    closing = true;
    const closed = once(server, 'close');
    server.close();
    for (const [socket, running] of requests) if (running === 0) socket.destroy();
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(force);
  };
}
