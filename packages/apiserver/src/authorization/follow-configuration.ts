import { readFileSync } from 'node:fs';
import { FileContent } from '../files/file-content.ts';
import { readFlagFile } from '../options/read-flag-file.ts';
import { unusableFlag } from '../options/options-error.ts';
import type { Authorization } from './authorization-config.ts';
import type { AuthorizationMetrics } from './authorization-metrics.ts';
import { isAuthorizationConfigurationError } from './configuration/authorization-configuration-error.ts';
import { readAuthorizationConfiguration } from './configuration/authorization-configuration.ts';
import type { ConfiguredAuthorizer } from './configuration/configured-authorizer.ts';

const flag = 'authorization-config';
/** Between two looks at the file; the reference is told by its kernel, and looks each minute besides. */
const lookMs = 1_000;

/** A file of --authorization-config as it was at the start. */
export interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
  readonly authorizers: readonly ConfiguredAuthorizer[];
}

/** @throws OptionsError naming the flag */
export function readConfigurationFile(path: string): ConfigurationFile {
  const text = readFlagFile(path, flag).toString('utf8');
  try {
    return { path, text, authorizers: readAuthorizationConfiguration(text) };
  } catch (error) {
    throw isAuthorizationConfigurationError(error) ? unusableFlag(flag, error.message, error) : error;
  }
}

/** How authorizers are made of a configuration, and where its changes are counted. */
export interface FollowOptions {
  /** @throws AuthorizationConfigurationError, OptionsError for what cannot be made */
  readonly build: (authorizers: readonly ConfiguredAuthorizer[]) => Authorization;
  readonly metrics?: AuthorizationMetrics;
}

/** Authorizers that change with the file that names them. */
export interface FollowedAuthorization extends Authorization {
  stop(): void;
}

/**
 * What a file says, as it is now; what cannot be used is logged, and what was before stays. Authorizers that follow
 * storage have to be there from the start, and stay (kubeapiserver/authorizer/reload.go, 1.36).
 * @throws OptionsError for a webhook of the first state that has no usable kubeconfig
 */
export function followConfiguration(
  { authorizers, path, text }: ConfigurationFile,
  { build, metrics }: FollowOptions,
): FollowedAuthorization {
  const required = new Set(authorizers.map(({ type }) => type).filter((type) => type !== 'Webhook'));
  let known = text;
  let current = build(authorizers);
  metrics?.configuration.configured(text, { reloaded: false });
  const reload = (): Authorization => {
    try {
      const found = readFileSync(path, 'utf8');
      if (found === known) return current;
      known = found;
      current = build(readAuthorizationConfiguration(found, required));
      metrics?.configuration.configured(found, { reloaded: true });
      return current;
    } catch (error) {
      metrics?.configuration.reloadFailed();
      throw error;
    }
  };
  const stop = new FileContent({ paths: [path], read: reload }).follow(() => undefined, lookMs);
  return {
    authorizer: { authorize: (attributes) => current.authorizer.authorize(attributes) },
    ruleResolver: { rulesFor: (user, namespace) => current.ruleResolver.rulesFor(user, namespace) },
    stop,
  };
}
