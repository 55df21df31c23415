import { existsSync } from 'node:fs';
import { OptionsError, unusableFlag } from '@kubechain/apiserver/options';
import type { ControllerFlags } from '../options/controller-flags.ts';

/** Where an authority's certificate and key are. */
export interface SigningFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The part of the flags' names that stands for a signer. */
const flagParts = {
  'kubernetes.io/kubelet-serving': 'kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet': 'kubelet-client',
  'kubernetes.io/kube-apiserver-client': 'kube-apiserver-client',
  'kubernetes.io/legacy-unknown': 'legacy-unknown',
} as const;

/**
 * The authority of each signer that has one: --cluster-signing-cert-file for all of them, or those of their own.
 * @throws OptionsError where both are given, one file lacks its partner, or is not there
 */
export function signingFiles(flags: ControllerFlags['lifecycle']): ReadonlyMap<string, SigningFiles> {
  const all = pairOf('cluster-signing', flags['cluster-signing-cert-file'], flags['cluster-signing-key-file']);
  const found = new Map<string, SigningFiles>();
  for (const [signer, part] of Object.entries(flagParts)) {
    const name = `cluster-signing-${part}` as const;
    const own = pairOf(name, flags[`${name}-cert-file`], flags[`${name}-key-file`]);
    if (own !== undefined) found.set(signer, own);
  }
  if (all === undefined) return found;
  if (found.size > 0)
    throw new OptionsError(
      'InvalidValue',
      'cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same time',
    );
  return new Map(Object.keys(flagParts).map((signer) => [signer, all]));
}

function pairOf(name: string, certFile: string, keyFile: string): SigningFiles | undefined {
  if (certFile === '' && keyFile === '') return undefined;
  if (certFile === '') throw new OptionsError('InvalidValue', `--${name}-key-file: cannot specify key without cert`);
  if (keyFile === '') throw new OptionsError('InvalidValue', `--${name}-cert-file: cannot specify cert without key`);
  for (const [flag, file] of [
    [`${name}-cert-file`, certFile],
    [`${name}-key-file`, keyFile],
  ] as const)
    if (!existsSync(file)) throw unusableFlag(flag, `'${file}' is not there`, undefined);
  return { certFile, keyFile };
}
