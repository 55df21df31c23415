import { existsSync, readFileSync } from 'node:fs';
import { writePrivateFile, type KeyPair } from './key-pair-files.ts';

/** What a kubeconfig for one user of one server says. */
export interface KubeconfigContent {
  readonly server: string;
  /** The name to ask the server for, and to look for in its certificate; default: that of `server`. */
  readonly serverName?: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly client: KeyPair;
  /** Name of the user's entry; default `kubernetes-admin`. */
  readonly user?: string;
}

/** The file as text. */
export function kubeconfigText({
  server,
  serverName,
  caCertificate,
  client,
  user = 'kubernetes-admin',
}: KubeconfigContent): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '- name: kubechain',
    '  cluster:',
    `    server: ${server}`,
    ...(serverName === undefined ? [] : [`    tls-server-name: ${serverName}`]),
    `    certificate-authority-data: ${base64(caCertificate)}`,
    'users:',
    `- name: ${user}`,
    '  user:',
    `    client-certificate-data: ${base64(client.cert)}`,
    `    client-key-data: ${base64(client.key)}`,
    'contexts:',
    '- name: kubechain',
    '  context:',
    '    cluster: kubechain',
    `    user: ${user}`,
    'current-context: kubechain',
    '',
  ].join('\n');
}

/** Writes it, mode 0600, unless it says so already. */
export function ensureKubeconfig(path: string, content: KubeconfigContent): void {
  const text = kubeconfigText(content);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writePrivateFile(path, text);
}

/** What a kubeconfig that was written here says of its server; '' and nothing of any other text. */
export function serverOf(kubeconfig: string): Pick<KubeconfigContent, 'server' | 'serverName'> {
  const lines = kubeconfig.split('\n').map((line) => line.trim());
  const valueOf = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2);
  const serverName = valueOf('tls-server-name');
  return { server: valueOf('server') ?? '', ...(serverName === undefined ? {} : { serverName }) };
}
