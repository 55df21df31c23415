import { FormatError } from '@kubechain/apimachinery';
import { certificateOIDs } from './create-certificate.ts';
import { elements, oid, type Parsed } from './der.ts';
import { firstPEMBlock } from './pem.ts';

/** What a PKCS #10 request asks for. */
export interface CertificateRequestContent {
  /** The name as it is encoded. */
  readonly subject: Buffer;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKeyInfo: Buffer;
  /** GeneralNames in DER, by their kind; other kinds are left out, as the reference leaves them out. */
  readonly names: Readonly<Record<'emails' | 'dns' | 'uris' | 'ips', readonly Buffer[]>>;
}

const nameTags = { emails: 0x81, dns: 0x82, uris: 0x86, ips: 0x87 } as const;
const extensionRequest = oid('1.2.840.113549.1.9.14');
const alternativeNames = oid(certificateOIDs.subjectAltName);
const attributesTag = 0xa0;

/**
 * Takes a request apart. Whether the signature is good is not asked here: the API server lets no other into
 * `spec.request`.
 * @throws FormatError for what is no request
 */
export function readCertificateRequest(pem: Uint8Array): CertificateRequestContent {
  const block = firstPEMBlock(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new FormatError('PEM block type must be CERTIFICATE REQUEST');
  try {
    // Version, subject, key, attributes.
    const [, subject, key, ...rest] = elements(elements(elements(block.bytes)[0]!.content)[0]!.content);
    const parts = namePartsOf(subject!);
    const names = namesOf(rest.find(({ tag }) => tag === attributesTag));
    return {
      subject: subject!.whole,
      commonName: parts.get(certificateOIDs.commonName)?.at(-1) ?? '',
      organizations: parts.get(certificateOIDs.organization) ?? [],
      publicKeyInfo: key!.whole,
      names: {
        emails: ofTag(names, nameTags.emails),
        dns: ofTag(names, nameTags.dns),
        uris: ofTag(names, nameTags.uris),
        ips: ofTag(names, nameTags.ips),
      },
    };
  } catch (cause) {
    throw new FormatError('x509: malformed certificate request', { cause });
  }
}

function ofTag(names: readonly Parsed[], wanted: number): readonly Buffer[] {
  return names.filter(({ tag }) => tag === wanted).map(({ whole }) => whole);
}

/** The parts of a name whose types are asked for here, by type. */
function namePartsOf(name: Parsed): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const types = [certificateOIDs.commonName, certificateOIDs.organization].map((text) => ({ text, der: oid(text) }));
  for (const set of elements(name.content))
    for (const { content } of elements(set.content)) {
      const [type, value] = elements(content);
      const known = types.find(({ der }) => der.equals(type!.whole));
      if (known === undefined) continue;
      const values = found.get(known.text) ?? [];
      values.push(value!.content.toString('utf8'));
      found.set(known.text, values);
    }
  return found;
}

function namesOf(attributes: Parsed | undefined): readonly Parsed[] {
  if (attributes === undefined) return [];
  for (const { content } of elements(attributes.content)) {
    const [type, values] = elements(content);
    if (!type!.whole.equals(extensionRequest)) continue;
    for (const extension of elements(elements(values!.content)[0]!.content)) {
      const parts = elements(extension.content);
      if (parts[0]!.whole.equals(alternativeNames)) return elements(elements(parts.at(-1)!.content)[0]!.content);
    }
  }
  return [];
}
