import type { X509Certificate } from 'node:crypto';
import { elements, readOID, type Parsed } from './der.ts';

/** Names of one kind that a certificate has, or speaks of in its constraints. Bytes of addresses, else text. */
export interface GeneralNames {
  readonly dns: readonly string[];
  readonly email: readonly string[];
  readonly uri: readonly string[];
  /** Four or sixteen bytes; in constraints as many bytes of mask behind them. */
  readonly ip: readonly Buffer[];
}

/** What names an authority may speak for (RFC 5280 4.2.1.10). */
export interface NameConstraints {
  readonly permitted: GeneralNames;
  readonly excluded: GeneralNames;
}

/** What decides whether a certificate may stand in a chain, and Node does not tell of it. */
export interface CertificateExtensions {
  /** 3 for all that have extensions. */
  readonly version: number;
  readonly basicConstraints: { readonly isCA: boolean; readonly maxPathLength: number | undefined } | undefined;
  /** Undefined without the extension. */
  readonly mayCertSign: boolean | undefined;
  /** Dotted; undefined without the extension. */
  readonly extendedKeyUsages: readonly string[] | undefined;
  readonly names: GeneralNames;
  readonly nameConstraints: NameConstraints | undefined;
  /** An extension that whoever does not understand it must refuse. */
  readonly hasUnhandledCritical: boolean;
}

const noNames: GeneralNames = { dns: [], email: [], uri: [], ip: [] };
const keyCertSignBit = 0x04;
/** Tags of GeneralName. */
const generalName = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;
/** Critical extensions that Go reads too, and that say nothing about this. */
const harmless: ReadonlySet<string> = new Set([
  '2.5.29.14', // subject key identifier
  '2.5.29.31', // CRL distribution points
  '2.5.29.32', // policies
  '2.5.29.33', // policy mappings
  '2.5.29.35', // authority key identifier
  '2.5.29.36', // policy constraints
  '2.5.29.54', // inhibit any policy
]);

const read = new WeakMap<X509Certificate, CertificateExtensions>();

/** The extensions of a certificate that OpenSSL has parsed; read once. @throws RangeError for broken ones */
export function extensionsOf(certificate: X509Certificate): CertificateExtensions {
  let extensions = read.get(certificate);
  if (extensions === undefined) read.set(certificate, (extensions = readExtensions(certificate)));
  return extensions;
}

function readExtensions(certificate: X509Certificate): CertificateExtensions {
  const fields = elements(elements(elements(certificate.raw)[0]!.content)[0]!.content);
  const version = fields[0]?.tag === 0xa0 ? (elements(fields[0].content)[0]?.content[0] ?? 0) + 1 : 1;
  const found: Mutable = {
    version,
    basicConstraints: undefined,
    mayCertSign: undefined,
    extendedKeyUsages: undefined,
    names: noNames,
    nameConstraints: undefined,
    hasUnhandledCritical: false,
  };
  const wrapped = fields.find(({ tag }) => tag === 0xa3);
  const list = wrapped === undefined ? [] : elements(elements(wrapped.content)[0]?.content ?? Buffer.alloc(0));
  for (const { content } of list) {
    const [id, ...rest] = elements(content);
    const critical = rest.length > 1 && rest[0]!.content[0] !== 0;
    const value = rest.at(-1)?.content;
    if (id === undefined || value === undefined) throw new RangeError('x509: invalid extension');
    const handled = readExtension(readOID(id.content), value, found);
    if (critical && !handled) found.hasUnhandledCritical = true;
  }
  return found;
}

type Mutable = { -readonly [K in keyof CertificateExtensions]: CertificateExtensions[K] };

/** Whether all of the extension was understood. */
function readExtension(id: string, value: Buffer, found: Mutable): boolean {
  const inner = elements(value)[0];
  if (inner === undefined) throw new RangeError('x509: invalid extension');
  switch (id) {
    case '2.5.29.15':
      found.mayCertSign = ((inner.content[1] ?? 0) & keyCertSignBit) !== 0;
      return true;
    case '2.5.29.17': {
      const { names, complete } = readNames(elements(inner.content));
      found.names = names;
      return complete || [names.dns, names.email, names.uri, names.ip].some(({ length }) => length > 0);
    }
    case '2.5.29.19': {
      const parts = elements(inner.content);
      const length = parts.find(({ tag }) => tag === 0x02);
      found.basicConstraints = {
        isCA: parts[0]?.tag === 0x01 && parts[0].content[0] !== 0,
        maxPathLength: length === undefined ? undefined : Number(`0x${length.content.toString('hex')}`),
      };
      return true;
    }
    case '2.5.29.30': {
      const trees = elements(inner.content);
      const permitted = readSubtrees(trees.find(({ tag }) => tag === 0xa0));
      const excluded = readSubtrees(trees.find(({ tag }) => tag === 0xa1));
      found.nameConstraints = { permitted: permitted.names, excluded: excluded.names };
      return permitted.complete && excluded.complete;
    }
    case '2.5.29.37':
      found.extendedKeyUsages = elements(inner.content).map(({ content }) => readOID(content));
      return true;
    default:
      return harmless.has(id);
  }
}

interface ReadNames {
  readonly names: GeneralNames;
  /** False where there are names of other kinds. */
  readonly complete: boolean;
}

function readSubtrees(trees: Parsed | undefined): ReadNames {
  if (trees === undefined) return { names: noNames, complete: true };
  return readNames(elements(trees.content).flatMap(({ content }) => elements(content).slice(0, 1)));
}

function readNames(list: readonly Parsed[]): ReadNames {
  const texts = (tag: number): string[] =>
    list.filter((name) => name.tag === tag).map(({ content }) => content.toString('latin1'));
  const known: readonly number[] = Object.values(generalName);
  return {
    names: {
      dns: texts(generalName.dns),
      email: texts(generalName.email),
      uri: texts(generalName.uri),
      ip: list.filter(({ tag }) => tag === generalName.ip).map(({ content }) => content),
    },
    complete: list.every(({ tag }) => known.includes(tag)),
  };
}
