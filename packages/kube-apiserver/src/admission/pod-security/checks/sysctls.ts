import type { Check, CheckPod } from '../check.ts';

const since1_0 = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const since1_27 = [...since1_0, 'net.ipv4.ip_local_reserved_ports'];
const since1_29 = [
  ...since1_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const since1_32 = [...since1_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

function only(names: readonly string[]): CheckPod {
  const allowed: ReadonlySet<string> = new Set(names);
  return ({ spec }) => {
    const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !allowed.has(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };
}

/** Sysctls that concern nobody but the pod. */
export const sysctls: Check = {
  id: 'sysctls',
  level: 'baseline',
  revisions: [
    { since: 0, check: only(since1_0) },
    { since: 27, check: only(since1_27) },
    { since: 29, check: only(since1_29) },
    { since: 32, check: only(since1_32) },
  ],
};
