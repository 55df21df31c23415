import { isPlainObject } from '@kubechain/apimachinery';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** What stories send has no time of these years. */
const NOW = /20[23][1-9]-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;
const REVISION_IN_TEXT = /(?<=version in (?:precondition|record|object meta)[^\d]{1,4}|current: )\d+/gi;
const REVISION_MEMBER = /(resourceVersion(?:\\*":\\*"|:))(\d+)/g;
const TOO_OLD = /(too old resource version: )\d+ \(\d+\)/;
/** Stories have one beginning of generated names. */
const GENERATED = /\bg-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const ADDRESS = /\b10\.(?:0|7[78])\.\d{1,3}\.\d{1,3}\b/g;
/** How long ago something was made, in a table's cell. */
const AGE = /^(?:\d+[smhd]){1,2}$/;
const PORTS_OF_SERVICE = /^\d+:3[0-2]\d{3}\/|,\d+:3[0-2]\d{3}\//;
const TOKEN = /^eyJ[\w-]+\.([\w-]+)\.[\w-]+$/;
const PORTS: ReadonlySet<string> = new Set(['nodePort', 'healthCheckNodePort']);
const PLACEHOLDER = /<(?:uid|rv|ip|port|name|continue):\d+>/g;

/**
 * What one server made up in the course of a story: each value has a name, given in order of appearance, so that two
 * servers that answer alike have the same names for what they have otherwise, and what is sent can name it.
 */
export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** @param given what a server is told of that the other has otherwise; `<name:1>` and so on stand for them */
  constructor(given: readonly string[] = []) {
    for (const value of given) this.#name('name', value);
  }

  /** An answer's value, with names instead of what the server made up. */
  named(value: unknown, member = '', depth = 0): unknown {
    if (typeof value === 'string') return this.#namedText(value, member, depth);
    if (typeof value === 'number')
      return PORTS.has(member) && value >= 30_000 ? this.#name('port', String(value)) : value;
    if (Array.isArray(value)) return value.map((item) => this.named(item, member, depth + 1));
    if (!isPlainObject(value)) return value;
    const { generateName, name } = value;
    if (typeof generateName === 'string' && typeof name === 'string' && name.startsWith(generateName))
      if (name.length > generateName.length) this.#name('name', name);
    // A list's revision is that of whatever was written last, by anybody.
    const isList = depth === 0 && ('items' in value || 'rows' in value);
    return Object.fromEntries(
      Object.entries(value).map(([key, of]) => [
        this.#namedText(key, '', depth),
        isList && key === 'metadata' ? this.#ofList(of) : this.named(of, key, depth + 1),
      ]),
    );
  }

  /** What is sent, with the server's own values. */
  valued(text: string): string {
    return text.replace(PLACEHOLDER, (name) => this.#values.get(name) ?? '0');
  }

  #ofList(metadata: unknown): unknown {
    const { resourceVersion, ...rest } = metadata as Readonly<Record<string, unknown>>;
    const known = typeof resourceVersion === 'string' ? { resourceVersion: 'LISTED' } : {};
    return { ...known, ...(this.named(rest, 'metadata', 1) as object) };
  }

  #namedText(text: string, member: string, depth: number): string {
    if (member === 'resourceVersion') return /^\d+$/.test(text) && text !== '0' ? this.#name('rv', text) : text;
    if (member === 'continue' && text !== '') {
      const token = this.#withNames(
        Buffer.from(text, 'base64url')
          .toString('utf8')
          .replace(/"rv":\d+/, '"rv":N'),
      );
      this.#name('continue', text);
      return `${this.#names.get(`continue ${text}`)} ${token}`;
    }
    const payload = TOKEN.exec(text)?.[1];
    if (payload !== undefined) {
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as object;
      return JSON.stringify(this.named(claims, 'claims', depth)).replace(/"(exp|iat|nbf)":\d+/g, '"$1":N');
    }
    if (AGE.test(text)) return 'AGE';
    if (PORTS_OF_SERVICE.test(text)) return text.replace(/:\d+/g, (port) => this.#name('port', port.slice(1)));
    return this.#withNames(text)
      .replace(GENERATED, (name) => this.#name('name', name))
      .replace(UUID, (uid) => this.#name('uid', uid))
      .replace(NOW, 'NOW')
      .replace(ADDRESS, (address) => (address.endsWith('.0.0') ? '10.N.0.0' : this.#name('ip', address)))
      .replace(TOO_OLD, '$1N (N)')
      .replace(REVISION_MEMBER, (_, before: string, revision: string) => before + this.#name('rv', revision))
      .replace(REVISION_IN_TEXT, (revision) => (revision === '0' ? revision : this.#name('rv', revision)));
  }

  /** Generated names wherever they stand. */
  #withNames(text: string): string {
    let named = text;
    for (const [key, name] of this.#names)
      if (name.startsWith('<name') && named.includes(key.slice(5))) named = named.replaceAll(key.slice(5), name);
    return named;
  }

  #name(kind: string, value: string): string {
    const key = `${kind} ${value}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      const count = (this.#counts.get(kind) ?? 0) + 1;
      this.#counts.set(kind, count);
      name = `<${kind}:${count}>`;
      this.#names.set(key, name);
      this.#values.set(name, value);
    }
    return name;
  }
}
