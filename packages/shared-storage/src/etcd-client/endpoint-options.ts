import type { Socket } from 'node:net';

/** PEM texts for TLS to etcd. */
export interface EtcdTls {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

/** The same for every connection, or what to use for the next one. */
export type EtcdTlsSource = EtcdTls | (() => EtcdTls);

/** Opens a connection to a port, for instance through a proxy; it may still be opening when it is returned. */
export type OpenEtcdSocket = (host: string, port: number) => Socket;

export interface EndpointOptions {
  readonly tls?: EtcdTlsSource | undefined;
  /** Bounds TCP and TLS set-up. */
  readonly connectTimeoutMs: number;
  /**
   * Idle time after which a connection with open calls is probed, and time the probe may take (upstream: 30 s and 10
   * s).
   */
  readonly keepaliveIntervalMs: number;
  readonly keepaliveTimeoutMs: number;
  /**
   * A connection over which something was sent, and nothing heard for so long, is probed at once: a peer whose address
   * is gone (a pod that was replaced) refuses nothing, and would be missed at the next idle probe only.
   */
  readonly silenceMs: number;
  /** Ask whether unary calls can share a stream: what the embedded store offers. Default false. */
  readonly joinCalls?: boolean;
  /** What errors call the server. Default `etcd`. */
  readonly peer?: string;
  /** Makes connections to ports; those to unix sockets are made directly. Default: directly. */
  readonly openSocket?: OpenEtcdSocket | undefined;
}

/** Probes of peers that are not the store: they may be silent for longer. */
export const patientKeepalive = {
  keepaliveIntervalMs: 30_000,
  keepaliveTimeoutMs: 10_000,
  silenceMs: 10_000,
} as const satisfies Partial<EndpointOptions>;
