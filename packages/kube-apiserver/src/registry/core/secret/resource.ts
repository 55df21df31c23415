import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateSecret, validateSecretChange } from './validation.ts';
import { secretWarnings } from './warnings.ts';
import { textField } from '../../field-readers.ts';
import { defaultSecret } from './defaults.ts';
import { printSecret } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves secrets. */
export const secretResource = storedResource({
  group: '',
  plural: 'secrets',
  fields: { type: textField('type') },
  strategy: specStrategy({
    ...validated({ create: validateSecret, update: validateSecret, change: validateSecretChange }),
    warningsOnCreate: (secret) => secretWarnings(secret as Secret),
    warningsOnUpdate: (secret) => secretWarnings(secret as Secret),
  }),
  defaults: { v1: defaultSecret },
  row: printSecret,
});
