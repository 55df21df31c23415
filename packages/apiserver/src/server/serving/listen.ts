import { once } from 'node:events';
import type { Server } from 'node:net';
import { messageOf } from '@kubechain/apimachinery';
import { unusableFlag } from '../../options/options-error.ts';

/** A TCP address to listen on, and the flags that chose it. */
export interface ListenOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Named in errors. */
  readonly portFlag: string;
  readonly hostFlag: string;
  /** Lets several processes listen on the port (SO_REUSEPORT); default false. */
  readonly reusePort?: boolean;
}

/**
 * Starts listening; resolves to the port.
 * @throws OptionsError that names the flag: port in use, no permission, no such address
 */
export async function listen(
  server: Server,
  { host, port, portFlag, hostFlag, reusePort = false }: ListenOptions,
): Promise<number> {
  try {
    server.listen({ host, port, reusePort, backlog: 4_096 });
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const where = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    if (code === 'EADDRINUSE')
      throw unusableFlag(portFlag, `failed to listen on ${where}: address already in use`, error);
    if (code === 'EACCES') throw unusableFlag(portFlag, `failed to listen on ${where}: permission denied`, error);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL')
      throw unusableFlag(hostFlag, `failed to listen on ${where}: no such address on this machine`, error);
    throw unusableFlag(portFlag, `failed to listen on ${where}: ${messageOf(error)}`, error);
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
