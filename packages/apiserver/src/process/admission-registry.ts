import type { AdmissionPlugin } from '../admission/admission.ts';
import { knownPlugins, refuseUnknownPlugins, type KnownPlugin } from '../options/known-plugins.ts';
import type { admissionFlags } from '../options/authentication-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import { OptionsError } from '../options/options-error.ts';

/** Makes a plugin of what a server has for its plugins. */
export type MakePlugin<Environment> = (environment: Environment) => AdmissionPlugin;

/** A plugin that a server offers. */
export interface OfferedPlugin<Environment> extends KnownPlugin {
  /** Its place among all plugins: smaller runs first. */
  readonly order: number;
  readonly make: MakePlugin<Environment>;
}

/**
 * The plugins that a server offers, in the order in which they run: a server says how each is made; order and default
 * are in the table of `knownPlugins`.
 * @throws TypeError for a name that is not in the table
 */
export function offeredPlugins<Environment>(
  makes: Readonly<Record<string, MakePlugin<Environment>>>,
): readonly OfferedPlugin<Environment>[] {
  return Object.entries(makes)
    .map(([name, make]) => {
      const order = knownPlugins.findIndex((known) => known.name === name);
      const known = knownPlugins[order];
      if (known === undefined) throw new TypeError(`admission plugin ${name} is not in the table of known plugins`);
      return { ...known, order, make };
    })
    .sort((a, b) => a.order - b.order);
}

/**
 * The plugins that --enable-admission-plugins and --disable-admission-plugins, or --admission-control, choose of
 * those that a server offers. A server of the chain is given the flags of all: a plugin that is known, and offered by
 * another server, is none of its business.
 * @throws OptionsError for a plugin that nobody knows, and for one that is both enabled and disabled
 */
export function chosenPlugins<Environment>(
  flags: FlagValues<typeof admissionFlags>,
  offered: readonly OfferedPlugin<Environment>[],
): readonly OfferedPlugin<Environment>[] {
  const enabled = new Set(flags['enable-admission-plugins']);
  const disabled = new Set(flags['disable-admission-plugins']);
  refuseUnknownPlugins('enable-admission-plugins', enabled);
  refuseUnknownPlugins('disable-admission-plugins', disabled);
  const only = new Set(flags['admission-control']);
  refuseUnknownPlugins('admission-control', only);
  if (only.size > 0) {
    if (enabled.size > 0 || disabled.size > 0)
      throw new OptionsError(
        'InvalidValue',
        'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
      );
    return offered.filter(({ name }) => only.has(name));
  }
  const both = [...enabled].find((name) => disabled.has(name));
  if (both !== undefined)
    throw new OptionsError(
      'InvalidValue',
      `${both} in --enable-admission-plugins and --disable-admission-plugins overlapped`,
    );
  return offered.filter(({ name, onByDefault }) => !disabled.has(name) && (onByDefault || enabled.has(name)));
}
