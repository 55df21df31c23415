import type { ListeningFlagValues } from './assembly-input.ts';

/**
 * Flags of a server as its side server has them: what listens, and the page of the chain, of which there is
 * one, is left to the server itself.
 */
export function sideValues<Values extends ListeningFlagValues>(values: Values): Values {
  const { control, faults } = values;
  return {
    ...values,
    serving: { ...values.serving, 'secure-port': 0 },
    generic: { ...values.generic, 'observe-listen': '' },
    ...(control === undefined ? {} : { control: { ...control, 'control-listen': '', 'tenants-from': '' } }),
    ...(faults === undefined ? {} : { faults: { ...faults, 'faults-from': '' } }),
  };
}
