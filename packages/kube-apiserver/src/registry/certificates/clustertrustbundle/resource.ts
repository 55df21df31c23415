import { textField } from '../../field-readers.ts';
import { storedResource } from '../../resource.ts';
import { specStrategy } from '../../spec-strategy.ts';
import { nameOf } from '../../table/printer.ts';
import { validated } from '../../validation/validate.ts';
import type { ClusterTrustBundle } from './cluster-trust-bundle.ts';
import { validateClusterTrustBundle, validateClusterTrustBundleUpdate } from './validation.ts';

/** Serves clustertrustbundles, which are there by default since 1.37. */
export const clusterTrustBundleResource = storedResource({
  group: 'certificates.k8s.io',
  plural: 'clustertrustbundles',
  strategy: specStrategy({
    ...validated({ create: validateClusterTrustBundle, update: validateClusterTrustBundleUpdate }),
    // By the signer, which the name alone does not tell.
    validateName: () => [],
    allowUnconditionalUpdate: false,
  }),
  fields: { 'spec.signerName': textField('spec.signerName') },
  row: (bundle: ClusterTrustBundle) => [nameOf(bundle), bundle.spec?.signerName || '<none>'],
});
