import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readYAML } from '@kubechain/apimachinery';
import type { Http2TransportOptions } from './http2-transport.ts';

/** What a kubeconfig's current context says: the way to the server, and who asks. */
export interface ClientConfig extends Http2TransportOptions {
  /** Bearer token; read again from the file where it came from one. */
  readonly token?: () => string;
}

/** The file cannot be used; the message names it. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a kubeconfig. Relative paths in it are relative to the file. Known are client certificates and tokens, as data
 * and as files; exec and auth-provider plugins are refused.
 * @throws KubeconfigError
 */
export async function loadKubeconfig(path: string): Promise<ClientConfig> {
  let config: Fields;
  try {
    config = ((await readYAML(readFileSync(path))).value ?? {}) as Fields;
  } catch (cause) {
    throw new KubeconfigError(`cannot read kubeconfig '${path}': ${(cause as Error).message}`, { cause });
  }
  const named = (list: string, name: unknown, key: string): Fields => {
    const entry = ((config[list] ?? []) as readonly Fields[]).find((each) => each['name'] === name);
    if (entry === undefined)
      throw new KubeconfigError(`kubeconfig '${path}' has no entry '${String(name)}' in ${list}`);
    return (entry[key] ?? {}) as Fields;
  };
  const context = named('contexts', config['current-context'], 'context');
  const cluster = named('clusters', context['cluster'], 'cluster');
  const user = named('users', context['user'], 'user');
  if (user['exec'] !== undefined || user['auth-provider'] !== undefined)
    throw new KubeconfigError(`kubeconfig '${path}': exec and auth-provider plugins are not supported`);
  const file = (name: unknown): string => resolve(dirname(path), String(name));
  const content = (fields: Fields, key: string): string | undefined => {
    const data = fields[`${key}-data`];
    if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64').toString();
    if (typeof fields[key] !== 'string') return undefined;
    try {
      return readFileSync(file(fields[key]), 'utf8');
    } catch (cause) {
      throw new KubeconfigError(`kubeconfig '${path}': ${key}: ${(cause as Error).message}`, { cause });
    }
  };
  const ca = content(cluster, 'certificate-authority');
  const cert = content(user, 'client-certificate');
  const key = content(user, 'client-key');
  const { token, tokenFile } = user;
  return {
    server: String(cluster['server']),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { clientCertificate: { cert, key } }),
    ...(typeof cluster['tls-server-name'] === 'string' ? { serverName: cluster['tls-server-name'] } : {}),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecureSkipVerify: true } : {}),
    ...(typeof token === 'string'
      ? { token: () => token }
      : tokenFile === undefined
        ? {}
        : { token: () => readFileSync(file(tokenFile), 'utf8').trim() }),
  };
}
