import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Finds ports of the loopback that nobody listens on; all of them different. Another program may still take one before its
 * service does, which shows as a service that does not come up.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(close));
  return ports;
}

async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
