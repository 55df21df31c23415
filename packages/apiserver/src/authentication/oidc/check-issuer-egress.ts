import type { EgressSelector } from '../../egress/egress-selector.ts';
import { AuthenticationConfigurationError } from './authentication-configuration-error.ts';
import type { ConfiguredIssuer } from './configured-issuer.ts';

/**
 * Whether what issuers are to be reached through has been selected: unlike elsewhere, nothing stands for it
 * (plugin/pkg/authenticator/token/oidc egressLookupForType, 1.36).
 * @throws AuthenticationConfigurationError
 */
export function checkIssuerEgress(
  issuers: readonly Pick<ConfiguredIssuer, 'egress'>[],
  selector: Pick<EgressSelector, 'selected'> | undefined,
): void {
  for (const { egress } of issuers) {
    if (egress === undefined) continue;
    if (selector === undefined)
      throw new AuthenticationConfigurationError(`oidc: egress lookup required with egress selector type "${egress}"`);
    if (selector.selected(egress) === undefined)
      throw new AuthenticationConfigurationError(`oidc: egress lookup for "${egress}" is not configured`);
  }
}
