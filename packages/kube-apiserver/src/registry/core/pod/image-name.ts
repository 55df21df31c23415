/** Grammar of image references (github.com/distribution/reference), after a registry's host has been added. */
const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${label}(?:\\.${label})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const pathComponent = '[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*';
const reference = new RegExp(
  `^(?:${domain}/)?${pathComponent}(?:/${pathComponent})*(?::([\\w][\\w.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);
/** Characters of a name, its host included. */
const longestName = 255;
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
  const match = reference.exec(hasHost ? image : `docker.io/${slash < 0 ? 'library/' : ''}${image}`);
  if (match === null) return '';
  const [whole, tag = '', digest = ''] = match;
  if (whole.length - (tag === '' ? 0 : tag.length + 1) - digest.length > longestName) return '';
  return tag === '' && digest === '' ? 'latest' : tag;
}
