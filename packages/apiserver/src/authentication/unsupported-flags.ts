import { unusableFlag } from '../options/options-error.ts';

/** Flags of kube-apiserver that choose a method which this server does not have yet. */
export const UNSUPPORTED_AUTHENTICATION_FLAGS: readonly string[] = [
  'authentication-config',
  'oidc-issuer-url',
  'oidc-client-id',
  'oidc-ca-file',
  'oidc-username-claim',
  'oidc-username-prefix',
  'oidc-groups-claim',
  'oidc-groups-prefix',
  'oidc-required-claim',
  'oidc-signing-algs',
];

/**
 * Refuses to start with less protection, or other users, than the flags ask for. @throws OptionsError naming the flag
 */
export function rejectUnsupportedAuthenticationFlags(isSet: (flag: string) => boolean): void {
  for (const flag of UNSUPPORTED_AUTHENTICATION_FLAGS) {
    if (isSet(flag)) throw unusableFlag(flag, 'not supported yet');
  }
}
