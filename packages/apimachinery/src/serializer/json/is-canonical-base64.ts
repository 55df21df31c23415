/**
 * Whether bytes are written as Go writes them: four letters at a time, without line ends. Decoded and compared, since
 * no expression is to walk megabytes.
 */
export function isCanonicalBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}
