import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What a real node needs of the distribution, by the Debian package that has it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  containerd: 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  iptables: 'iptables',
  conntrack: 'conntrack',
  ip: 'iproute2',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  tini: 'tini',
};
const FILES: Readonly<Record<string, string>> = {
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  '/bin/busybox': 'busybox-static',
};

/** What a Docker engine on such a node and the systems of its images need besides. */
const DOCKER_PROGRAMS: Readonly<Record<string, string>> = {
  docker: 'docker.io',
  dockerd: 'docker.io',
  debootstrap: 'debootstrap',
  npm: 'npm',
};

/** Rejects, naming the packages, when something that a real node needs is not installed, or this is not root. */
export function checkPrograms(): void {
  check(PROGRAMS);
}

/** The same for a machine with a Docker engine. */
export function checkDockerPrograms(): void {
  check({ ...PROGRAMS, ...DOCKER_PROGRAMS });
}

function check(programs: Readonly<Record<string, string>>): void {
  if (process.getuid?.() !== 0) throw new Error('a real node needs root');
  const missing = [
    ...Object.keys(programs).filter((program) => !onPath(program)),
    ...Object.keys(FILES).filter((file) => !isExecutable(file)),
  ];
  if (missing.length === 0) return;
  const packages = new Set(missing.map((name) => programs[name] ?? FILES[name]));
  throw new Error(`not installed: ${missing.join(', ')} (apt-get install ${[...packages].join(' ')})`);
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
