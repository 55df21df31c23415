import { isAbsolute } from 'node:path';
import { messageOf } from '@kubechain/apimachinery';
import { WebhookIdentities } from '../../webhook/webhook-identities.ts';
import { configurationError, type ConfigurationType, type PluginConfigurations } from './plugin-configurations.ts';

/** WebhookAdmissionConfiguration. */
export const webhookConfiguration: ConfigurationType = {
  group: 'apiserver.config.k8s.io',
  versions: ['v1'],
  kind: 'WebhookAdmissionConfiguration',
  fields: ['kubeConfigFile', 'staticManifestsDir'],
};

/**
 * Whom the webhooks of a plugin are called as, by its WebhookAdmissionConfiguration
 * (apiserver/pkg/admission/plugin/webhook/config, 1.36). @throws OptionsError
 */
export function webhookIdentitiesOf(
  configurations: PluginConfigurations,
  plugin: 'MutatingAdmissionWebhook' | 'ValidatingAdmissionWebhook',
): WebhookIdentities {
  const { kubeConfigFile = '' } = configurations.fieldsOf(plugin, webhookConfiguration);

  if (typeof kubeConfigFile !== 'string' || kubeConfigFile === '') return new WebhookIdentities(new Map());
  if (!isAbsolute(kubeConfigFile))
    throw configurationError(
      `${plugin}: kubeConfigFile: Invalid value: ${JSON.stringify(kubeConfigFile)}: must be an absolute file path`,
    );
  try {
    return WebhookIdentities.fromKubeconfig(kubeConfigFile);
  } catch (error) {
    throw configurationError(`${plugin}: ${kubeConfigFile}: ${messageOf(error)}`);
  }
}
