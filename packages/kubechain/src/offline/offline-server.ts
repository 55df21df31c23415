import { CalledThread } from '../all-in-one/called-thread.ts';

/** How the servers are. */
export interface OfflineServerOptions {
  /** Of kube-apiserver. */
  readonly flags?: readonly string[];
  /** Roles and bindings count. Otherwise nobody asks for rights, and there are none that every cluster begins with. */
  readonly rights: boolean;
}

/**
 * The servers themselves, without controllers and in memory: what they say is what a cluster would say. They start on
 * a thread of their own, so that this one may work on meanwhile.
 */
export function startOfflineServer({ flags = [], rights }: OfflineServerOptions): CalledThread {
  const chooses = (names: RegExp): boolean => flags.some((flag) => names.test(flag.replaceAll('_', '-')));
  return new CalledThread([
    // Nobody makes service accounts.
    ...(chooses(/^--(?:en|dis)able-admission-plugins(?:=|$)/) ? [] : ['--disable-admission-plugins=ServiceAccount']),
    ...(rights || chooses(/^--authorization-/) ? [] : ['--authorization-mode=AlwaysAllow']),
    ...flags,
  ]);
}
