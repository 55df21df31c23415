import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivateFile } from './key-pair-files.ts';
import { ensurePKI, type PKIOptions } from './pki.ts';

/** Certificates and keys by their file's name, as PEM. */
export type CertificateFiles = ReadonlyMap<string, string>;

/** Whether a directory has any, or is there at all. */
export function hasCertificateFiles(directory: string): boolean {
  return existsSync(directory) && certificateFilesOf(directory).length > 0;
}

/** What a directory of certificates has. */
export function readCertificateFiles(directory: string): CertificateFiles {
  const names = certificateFilesOf(directory);
  return new Map(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

/** Certificates and keys as `ensurePKI` makes them, of no directory. */
export async function makeCertificateFiles(options: PKIOptions): Promise<CertificateFiles> {
  const directory = mkdtempSync(join(tmpdir(), 'kubechain-pki-'));
  try {
    const { admin } = await ensurePKI(directory, options);
    await admin;
    return readCertificateFiles(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Gives an empty directory the certificates of another; one that has any is left alone. */
export function adoptCertificateFiles(directory: string, files: CertificateFiles): void {
  if (hasCertificateFiles(directory)) return;
  for (const [name, text] of files) writePrivateFile(join(directory, name), text);
}

function certificateFilesOf(directory: string): string[] {
  return readdirSync(directory).filter((name) => /\.(crt|key|pub)$/.test(name));
}
