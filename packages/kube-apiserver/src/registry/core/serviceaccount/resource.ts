import { serviceAccountStrategy } from './strategy.ts';
import { serviceAccountToken } from './token.ts';
import { printServiceAccount } from '../table.ts';
import { defaultTokenRequest } from './token-defaults.ts';
import { storedResource } from '../../resource.ts';

/** serviceaccounts and, with a signing key, their tokens. */
export const serviceAccountResource = storedResource({
  group: '',
  plural: 'serviceaccounts',
  strategy: serviceAccountStrategy,
  row: printServiceAccount,
  returnDeletedObject: true,
  alsoDefaults: [{ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', apply: defaultTokenRequest }],
  also: (store, context) =>
    context.tokenIssuer === undefined
      ? []
      : [['serviceaccounts/token', serviceAccountToken(store, context, context.tokenIssuer)]],
});
