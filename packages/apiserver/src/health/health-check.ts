/** `/healthz` (old), `/livez` (restart me when it fails), `/readyz` (send me no requests while it fails). */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** One named reason why a server is well or not. */
export interface HealthCheck {
  /** The reference's name where it has one, e.g. `etcd`, `poststarthook/rbac/bootstrap-roles`. */
  readonly name: string;
  /** Several checks may be excluded together by this name. */
  readonly group?: string;
  /** Ms that it gives itself, where that is more than the two seconds that every check has. */
  readonly timeoutMs?: number;
  /** Throws or rejects with the reason; that goes to the log, not to the client. */
  check(signal: AbortSignal): void | Promise<void>;
}

/** What became of one check. `error` is undefined when all is well, or when another server has withheld it. */
export interface HealthCheckResult {
  readonly name: string;
  readonly group?: string;
  readonly ok: boolean;
  readonly error?: unknown;
}

/** Always well: the server answers. */
export const pingCheck: HealthCheck = {
  name: 'ping',
  check() {
    /* being asked is the answer */
  },
};

/**
 * Upstream's check that the log can be written; Node's log writes never block the server, so it is well whenever it
 * runs.
 */
export const logCheck: HealthCheck = {
  name: 'log',
  check() {
    /* see above */
  },
};

/**
 * Upstream checks that the certificate of its loopback connection has not expired. Here a server calls itself in
 * process, so nothing can expire; the name is what tools look for.
 */
export const loopbackCertificateCheck: HealthCheck = {
  name: 'loopback-serving-certificate',
  check() {
    /* see above */
  },
};
