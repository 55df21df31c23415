import { X509Certificate } from 'node:crypto';
import { messageOf } from '@kubechain/apimachinery';
import { unusableFlag } from '../options/options-error.ts';
import { nodeTLS } from './node-tls.ts';

/** PEM texts that belong together, and the flags that named their files. */
export interface TLSMaterial {
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly ca?: Buffer;
  readonly flags: { readonly cert: string; readonly ca: string };
}

/**
 * Sees to it that certificate and key fit and that the authorities are certificates: OpenSSL takes a text without any
 * for no authority at all, and then trusts nobody.
 * @throws OptionsError that names the flag
 */
export function checkTLSMaterial({ cert, key, ca, flags }: TLSMaterial): void {
  if (ca !== undefined) checked(flags.ca, () => new X509Certificate(ca));
  // Without authorities, so that none of the system's, a hundred and more, are read for it and kept.
  if (cert !== undefined && key !== undefined)
    checked(flags.cert, () => nodeTLS().createSecureContext({ cert, key, ca: [] }));
}

function checked(flag: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw unusableFlag(flag, `cannot be used: ${messageOf(error)}`, error);
  }
}
