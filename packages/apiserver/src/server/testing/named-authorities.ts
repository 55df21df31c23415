import { once } from 'node:events';
import { connect as connectTCP, createServer, type AddressInfo } from 'node:net';
import { connect as connectTLS } from 'node:tls';

const handshake = 22;
const certificateRequest = 13;

/**
 * Names of authorities, in DER, that a TLS server sends in its CertificateRequest: read from TLS 1.2, which does not
 * hide them.
 */
export async function namedAuthorities(port: number, servername: string): Promise<Buffer[]> {
  const received: Buffer[] = [];
  const between = createServer((client) => {
    const server = connectTCP(port, '127.0.0.1');
    client.pipe(server).on('data', (chunk: Buffer) => received.push(chunk));
    server.pipe(client);
    for (const socket of [client, server]) socket.on('error', () => undefined);
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const socket = connectTLS({
    host: '127.0.0.1',
    port: (between.address() as AddressInfo).port,
    servername,
    maxVersion: 'TLSv1.2',
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  socket.destroy();
  between.close();
  return namesIn(messages(Buffer.concat(received)).find(([type]) => type === certificateRequest)?.[1]);
}

/** Handshake messages before encryption begins (RFC 5246, 6.2.1 and 7.4). */
function messages(bytes: Buffer): (readonly [number, Buffer])[] {
  const payloads: Buffer[] = [];
  for (let at = 0; bytes[at] === handshake;) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    payloads.push(bytes.subarray(at + 5, end));
    at = end;
  }
  const all = Buffer.concat(payloads);
  const found: (readonly [number, Buffer])[] = [];
  for (let at = 0; at < all.length;) {
    const end = at + 4 + all.readUIntBE(at + 1, 3);
    found.push([all[at] as number, all.subarray(at + 4, end)]);
    at = end;
  }
  return found;
}

/** Types, signature algorithms, names: each a list behind its length (RFC 5246, 7.4.4). */
function namesIn(request: Buffer | undefined): Buffer[] {
  if (request === undefined) throw new TypeError('no certificate is asked for');
  const algorithms = 1 + (request[0] as number);
  let at = algorithms + 2 + request.readUInt16BE(algorithms) + 2;
  const names: Buffer[] = [];
  while (at < request.length) {
    const end = at + 2 + request.readUInt16BE(at);
    names.push(request.subarray(at + 2, end));
    at = end;
  }
  return names;
}
