import type { Answer } from '../harness/client.ts';
import { isPlainObject } from '@kubechain/apimachinery';

/** Where a scheme's name says how its program was built. */
const SCHEME = /in scheme \\"[^"\\]*\\"/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Samples and generated values have no time after 2020. */
const NOW = /20[23][1-9]-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const REVISION = /resourceVersion(\\*":\\*")\d+/g;
const SERVICE_ADDRESS = /10\.0\.\d+\.\d+/g;
/** Of an object within a text: entries of one second stand by name, of two by time. */
const MANAGED_FIELDS_IN_TEXT = /\\+"managedFields\\+":\[\{.*?\}\]/g;
/** Of a definition within a text: controllers write its conditions in either order. */
const CONDITIONS_IN_TEXT = /(\\+"conditions\\+":\[\{)(.*?)(?=\}\])/g;
/** Go goes through maps in an order of chance, and applied objects are read up to the first unknown field of each. */
const FIRST_UNKNOWN_FIELD = /failed to create typed patch object \([^)]*\).*field not declared in schema/s;
const CONTINUE = /"continue":"([\w-]+)"/g;
const REVISION_IN_TEXT = /(version in record \(|version in object meta: |current: )\d+/gi;
/** Which service got an address first. */
const SERVICE_OF_ADDRESS = /("parentRef":\{"name":)"[^"]*"/g;
const SERVER_ADDRESS = /("kubernetes\.io\/peer-advertise-address":")[^"]*/g;
/** How long ago something was made, in a table's cell. */
const AGE = /"(?:\d+[smhd]){1,2}"/g;
/** A token of a service account. */
const TOKEN = /"eyJ[\w-]+\.[\w-]+\.[\w-]+"/g;
const NODE_PORT = /("(?:healthCheckNodePort|nodePort)":)3[0-2]\d{3}\b/g;

/**
 * What an answer says, as one text, without what differs from server to server (identities, times, revisions, addresses
 * and ports that were chosen), and without the order in which Go tells several mistakes, which is that of its maps.
 */
export function told({ body, headers, status, text }: Answer): string {
  const said: unknown = body === undefined ? text : sorted(isStatus(body) ? withoutOrder(body) : body);
  return [
    String(status),
    JSON.stringify(said)
      .replace(SCHEME, 'in a scheme')
      .replace(MANAGED_FIELDS_IN_TEXT, 'managedFields')
      .replace(CONDITIONS_IN_TEXT, (_, before: string, items: string) => before + items.split('},{').sort().join('},{'))
      .replace(REVISION, 'resourceVersion$1N')
      .replace(REVISION_IN_TEXT, '$1N')
      .replace(CONTINUE, (_, token: string) => `"continue":${JSON.stringify(continued(token))}`)
      .replace(AGE, '"AGE"')
      .replace(UUID, 'UID')
      .replace(NOW, 'NOW')
      .replace(SERVICE_OF_ADDRESS, '$1"SERVICE"')
      .replace(SERVER_ADDRESS, '$1ADDRESS')
      .replace(SERVICE_ADDRESS, 'ADDRESS')
      .replace(TOKEN, '"TOKEN"')
      .replace(NODE_PORT, '$1PORT'),
    String(headers['warning'] ?? ''),
  ].join('\n');
}

/** What a token for the rest of a list says, without the revision. */
function continued(token: string): string {
  return Buffer.from(token, 'base64url')
    .toString('utf8')
    .replace(/"rv":\d+/, '"rv":N');
}

interface Status {
  readonly kind: 'Status';
  readonly message?: string;
  readonly details?: { readonly causes?: readonly object[] };
}

function isStatus(body: unknown): body is Status {
  return isPlainObject(body) && body['kind'] === 'Status';
}

function withoutOrder(status: Status): object {
  const causes = status.details?.causes ?? [];
  const message = status.message ?? '';
  const [unknownField] = FIRST_UNKNOWN_FIELD.exec(message) ?? [];
  if (unknownField !== undefined)
    return { ...status, message: `${unknownField.slice(0, unknownField.indexOf(')'))}): field not declared in schema` };
  if (causes.length < 2) return { ...status, message: message.split('\n').sort().join('\n') };
  const texts = causes.map((cause) => JSON.stringify(sorted(cause))).sort();
  return { ...status, message: message.split(': [', 1)[0], details: { ...status.details, causes: texts } };
}

/** Entries of one second, and what controllers write in either order. */
const IN_ANY_ORDER: ReadonlySet<string> = new Set(['conditions', 'managedFields', 'nonResourceRules', 'resourceRules']);

function inAnyOrder(value: unknown): unknown {
  const items = sorted(value);
  return Array.isArray(items) ? items.map((item) => JSON.stringify(item).replace(NOW, 'NOW')).sort() : items;
}

/** Members by name; names that a server made up are left out. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const generated = typeof value['generateName'] === 'string' && value['generateName'] !== '';
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [
        name,
        generated && name === 'name'
          ? 'GENERATED'
          : IN_ANY_ORDER.has(name)
            ? inAnyOrder(value[name])
            : sorted(value[name]),
      ]),
  );
}
