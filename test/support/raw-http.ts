import { connect } from 'node:net';

/** Sends bytes as they are and resolves with all that came back when the server closed, or when `until` is in it. */
export function rawHttp(port: number, text: string, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (until !== undefined && answer.includes(until)) socket.destroy();
    });
    socket.once('close', () => resolve(answer));
    socket.once('error', reject);
  });
}
