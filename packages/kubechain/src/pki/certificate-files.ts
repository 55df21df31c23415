import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './key-pair-files.ts';

/** Certificates and keys by their file's name, as PEM. */
export type CertificateFiles = ReadonlyMap<string, string>;

/** What a directory of certificates has. */
export function readCertificateFiles(directory: string): CertificateFiles {
  const names = readdirSync(directory).filter((name) => /\.(crt|key|pub)$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

/** Gives an empty directory the certificates of another; one that has any is left alone. */
export function adoptCertificateFiles(directory: string, files: CertificateFiles): void {
  if ([...files.keys()].some((name) => existsSync(join(directory, name)))) return;
  for (const [name, text] of files) writePrivateFile(join(directory, name), text);
}
