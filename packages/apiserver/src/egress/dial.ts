import type { Socket } from 'node:net';

/**
 * Opens a connection to a port of a host: the socket is there at once, `connecting` until it has got through; what is
 * written before that waits. Failures are the socket's errors.
 */
export type Dial = (host: string, port: number) => Socket;
