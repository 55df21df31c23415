import { standardFunctions } from './standard.ts';
import { optionalFunctions } from './library-optional.ts';
import { listFunctions } from './library-lists.ts';
import { stringFunctions } from './library-strings.ts';
import { quantityFunctions } from './library-quantity.ts';
import { networkFunctions } from './library-network.ts';
import { FunctionTable } from './functions.ts';

/** All functions that CEL rules can call. */
export const ruleFunctions = new FunctionTable([...standardFunctions, ...optionalFunctions, ...listFunctions, ...stringFunctions, ...quantityFunctions, ...networkFunctions]);
