import { appendFileSync, chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { goModuleFolder, goTool } from '../../harness/go-tools.ts';
import { debian } from '../debian.ts';
import { importImages, pauseImage, type Image } from '../image.ts';
import type { Machine } from '../machine.ts';
import { busyboxProgram } from './busybox.ts';

/** Programs that tests run by name in their containers, beside those of Debian's smallest system. */
const PACKAGES = [
  'bsdextrautils',
  'ca-certificates',
  'curl',
  'dnsutils',
  'hostname',
  'iproute2',
  'iputils-ping',
  'netcat-openbsd',
  'nginx-light',
  'procps',
  'wget',
];
const E2E = 'registry.k8s.io/e2e-test-images';
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const NGINX = `user www-data;
events {}
http {
  include /etc/nginx/mime.types;
  access_log /dev/stdout;
  error_log /dev/stderr;
  server {
    listen 80;
    root /usr/share/nginx/html;
    index index.html;
  }
}
`;

/**
 * Gives a machine the images of Kubernetes' conformance tests, under their names and with their entry points: made of
 * Debian's packages and of programs of Kubernetes' Go modules, as no registry is asked. `folder` keeps the Debian
 * system.
 */
export async function importConformanceImages(machine: Machine, folder: string): Promise<void> {
  const base = join(folder, 'debian');
  await debian(base, PACKAGES);
  await importImages(machine, await overDebian(base, await busyboxProgram(folder)), base);
  await importImages(machine, [{ ...pauseImage, names: ['registry.k8s.io/pause:3.10.2'] }]);
}

async function overDebian(base: string, busybox: string): Promise<readonly Image[]> {
  const kubernetes = await goModuleFolder('k8s.io/kubernetes');
  const files = (path: string): string => join(kubernetes, 'test/images', path);
  const agnhost = program(await goTool('agnhost'), '/agnhost');
  const withUsers = (root: string): void => {
    agnhost(root);
    shell('bash')(root);
    symlinkSync('agnhost', join(root, 'agnhost-2'));
    mkdirSync(join(root, 'uploads'));
    for (const file of ['localhost.crt', 'localhost.key']) place(root, files(`agnhost/porter/${file}`), `/${file}`);
    // Tests of supplemental groups name these two.
    for (const file of ['passwd', 'group']) place(root, join(base, 'etc', file), `/etc/${file}`);
    appendFileSync(
      join(root, 'etc/passwd'),
      'user-defined-in-image:x:1000:1000::/home/user-defined-in-image:/bin/sh\n',
    );
    appendFileSync(
      join(root, 'etc/group'),
      'user-defined-in-image:x:1000:\ngroup-defined-in-image:x:50000:user-defined-in-image\n',
    );
  };
  const site =
    (name: string) =>
    (root: string): void => {
      withUsers(root);
      for (const file of [`${name}.jpg`, 'data.json']) place(root, files(`${name}/html/${file}`), `/${file}`);
    };
  const entry = { Entrypoint: ['/agnhost'], Env: [PATH], WorkingDir: '/' };
  const command = { Cmd: ['sh'], Env: [PATH] };
  return [
    image([`${E2E}/agnhost:2.63.0`, `${E2E}/agnhost:2.55`], withUsers, { ...entry, Cmd: ['pause'] }),
    image([`${E2E}/nautilus:1.8`], site('nautilus'), { ...entry, Cmd: ['test-webserver'] }),
    image([`${E2E}/kitten:1.8`], site('kitten'), { ...entry, Cmd: ['test-webserver'] }),
    image([`${E2E}/busybox:1.37.0-1`], withBusybox(busybox), command),
    image([`${E2E}/glibc-dns-testing:2.0.0`, `${E2E}/ipc-utils:1.4`, `${E2E}/perl:5.26`], nothing, command),
    image([`${E2E}/nonroot:1.5`], nothing, { ...command, User: '1234' }),
    image([`${E2E}/nginx:1.15-4`, `${E2E}/nginx:1.27-0`], nginx, {
      Entrypoint: ['/usr/sbin/nginx'],
      Cmd: ['-g', 'daemon off;'],
      Env: [PATH],
    }),
    image([`${E2E}/nonewprivs:1.4`], program(await goTool('nonewprivs'), '/usr/local/bin/nnp', 0o6755), {
      Cmd: ['nnp'],
      Env: [PATH],
    }),
    image([`${E2E}/sample-apiserver:1.29.2`], program(await goTool('sample-apiserver'), '/sample-apiserver'), {
      Entrypoint: ['/sample-apiserver'],
      Env: [PATH],
    }),
    image(['registry.k8s.io/etcd:3.6.8-0'], program(await goTool('etcd'), '/usr/local/bin/etcd'), { Env: [PATH] }),
  ];
}

function image(names: readonly string[], fill: Image['fill'], config: Image['config']): Image {
  return { names, fill, config };
}

function nothing(): void {
  /* it is what it lies on */
}

/** What `sh` is: Debian's dash neither knows `[[` nor passes on variables whose names are no identifiers. */
function shell(program: string): (root: string) => void {
  return (root) => {
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    symlinkSync(program, join(root, 'usr/bin/sh'));
  };
}

/** Tests read messages of its shell, and call `sysctl` where it has it. */
function withBusybox(path: string): (root: string) => void {
  return (root) => {
    program(path, '/usr/bin/busybox')(root);
    shell('busybox')(root);
    symlinkSync('busybox', join(root, 'usr/bin/sysctl'));
  };
}

function nginx(root: string): void {
  mkdirSync(join(root, 'etc/nginx'), { recursive: true });
  writeFileSync(join(root, 'etc/nginx/nginx.conf'), NGINX);
  mkdirSync(join(root, 'usr/share/nginx/html'), { recursive: true });
  writeFileSync(join(root, 'usr/share/nginx/html/index.html'), '<h1>Welcome to nginx!</h1>\n');
}

function program(path: string, target: string, mode = 0o755): (root: string) => void {
  return (root) => {
    place(root, path, target);
    chmodSync(join(root, target), mode);
  };
}

function place(root: string, file: string, target: string): void {
  const path = join(root, target);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(file, path);
  chmodSync(path, 0o644);
}
