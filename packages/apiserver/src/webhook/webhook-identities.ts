import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isPlainObject } from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';

/** As whom a webhook is called. */
export interface WebhookIdentity {
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** Value of the Authorization header, read when it is needed: tokens in files are replaced. */
  readonly authorization?: () => string;
}

type Fields = Readonly<Record<string, unknown>>;

const nobody: WebhookIdentity = {};

/**
 * Whom a server calls webhooks as: the users of a kubeconfig, whose names are those of hosts
 * (apiserver/pkg/util/webhook/authentication.go, 1.36).
 */
export class WebhookIdentities {
  readonly #users: ReadonlyMap<string, WebhookIdentity>;
  readonly #current: string;

  constructor(users: ReadonlyMap<string, WebhookIdentity>, current = '') {
    this.#users = users;
    this.#current = current;
  }

  /** @throws Error where the file cannot be read, or names files that cannot */
  static fromKubeconfig(path: string): WebhookIdentities {
    const config = yamlValue(readFileSync(path, 'utf8')).value;
    if (!isPlainObject(config)) throw new TypeError('is no kubeconfig');
    const folder = dirname(path);
    const users = listOf(config['users']).map(
      ({ name, user }) => [String(name), identityOf(isPlainObject(user) ? user : {}, folder)] as const,
    );
    const context = listOf(config['contexts']).find(({ name }) => name === config['current-context'])?.['context'];
    const current = isPlainObject(context) ? context['user'] : undefined;
    return new WebhookIdentities(new Map(users), typeof current === 'string' ? current : '');
  }

  /** @param host as the webhook's configuration has it, with its port where it says one */
  of(host: string): WebhookIdentity {
    const withoutPort = host.endsWith(':443') ? namesFor(host.slice(0, -':443'.length)) : [];
    const names = [...namesFor(host), ...withoutPort, '*', this.#current];
    for (const name of names) {
      const identity = this.#users.get(name);
      if (identity !== undefined) return identity;
    }
    return nobody;
  }
}

/** `a.b.c` itself, `*.b.c`, `*.c`. */
function namesFor(host: string): string[] {
  const steps = host.split('.');
  return [host, ...steps.slice(1).map((_, i) => `*.${steps.slice(i + 1).join('.')}`)];
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

function identityOf(user: Fields, folder: string): WebhookIdentity {
  const material = (field: string): Buffer | undefined => {
    const data = user[`${field}-data`];
    if (typeof data === 'string') return Buffer.from(data, 'base64');
    const file = user[field];
    return typeof file === 'string' && file !== '' ? readFileSync(resolve(folder, file)) : undefined;
  };
  const cert = material('client-certificate');
  const key = material('client-key');
  const authorization = authorizationOf(user, folder);
  return {
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function authorizationOf(user: Fields, folder: string): (() => string) | undefined {
  const { password = '', token, tokenFile, username } = user;
  if (typeof tokenFile === 'string' && tokenFile !== '')
    return () => `Bearer ${readFileSync(resolve(folder, tokenFile), 'utf8').trim()}`;
  if (typeof token === 'string' && token !== '') return () => `Bearer ${token}`;
  if (typeof username !== 'string' || username === '') return undefined;
  const basic = Buffer.from(`${username}:${String(password)}`).toString('base64');
  return () => `Basic ${basic}`;
}
