/** Grammar of image references (github.com/distribution/reference), after a registry's host has been added. */
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const host = new RegExp(`^(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const path = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagForm = /^\w[\w.-]*$/;
const digestForm = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]+$/;
/** Characters of a name, its host included. */
const longestName = 255;
/** Of a tag. */
const longestTag = 128;
/** Hexadecimal digits of a digest, at least. */
const shortestDigest = 32;
const bareDigest = /^[a-f0-9]{64}$/;

/**
 * Tag of an image reference: `latest` when it names neither tag nor digest, '' for a digest alone and for what is no
 * reference at all (ParseImageName of pkg/util/parsers, 1.36).
 */
export function imageTag(image: string): string {
  if (bareDigest.test(image)) return '';
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  const hasHost = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  const [named, digest] = cut(hasHost ? image : `docker.io/${slash < 0 ? 'library/' : ''}${image}`, '@');
  if (digest !== undefined && !isDigest(digest)) return '';
  const colon = named.lastIndexOf(':');
  const tagged = colon > named.lastIndexOf('/');
  const name = tagged ? named.slice(0, colon) : named;
  const tag = tagged ? named.slice(colon + 1) : '';
  if (tagged && (tag.length > longestTag || !tagForm.test(tag))) return '';
  if (name.length > longestName || !isName(name)) return '';
  return tag === '' && digest === undefined ? 'latest' : tag;
}

/** A host and one path or more. */
function isName(name: string): boolean {
  const [first = '', ...paths] = name.split('/');
  return (host.test(first) || path.test(first)) && paths.every((part) => path.test(part));
}

function isDigest(text: string): boolean {
  return digestForm.test(text) && text.length - text.indexOf(':') - 1 >= shortestDigest;
}

/** What is before the first separator, and what is behind it. */
function cut(text: string, separator: string): [before: string, behind?: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
