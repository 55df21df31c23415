import {
  append,
  forbiddenValue,
  invalidValue,
  isDNS1035Label,
  messageOf,
  notSupported,
  required,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { validateWebhookTarget } from '@kubechain/apiserver/resources';
import { authoritiesOf } from '@kubechain/apiserver/certificates';
import type { Conversion } from './internal-spec.ts';

const known = ['v1', 'v1beta1'];

export interface ConversionOptions {
  /** At least one review version must be one that the server speaks. */
  readonly requireKnownReview: boolean;
  readonly allowInvalidCABundle: boolean;
}

/** How versions are converted into each other. */
export function validateConversion(
  conversion: Conversion | undefined,
  path: FieldPath,
  options: ConversionOptions,
): FieldError[] {
  if (conversion === undefined) return [];
  const errors = validateChoice(conversion.strategy ?? '', path.child('strategy'), ['None', 'Webhook']);
  const client = conversion.webhook?.clientConfig;
  const reviews = conversion.webhook?.conversionReviewVersions ?? [];
  const clientPath = path.child('webhookClientConfig'),
    reviewsPath = path.child('conversionReviewVersions');
  if (conversion.strategy !== 'Webhook') {
    const text = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.push(forbiddenValue(clientPath, text));
    if (reviews.length > 0) errors.push(forbiddenValue(reviewsPath, text));
    return errors;
  }
  if (client === undefined) errors.push(required(clientPath, 'required when strategy is set to Webhook'));
  else {
    append(errors, validateWebhookTarget(client, clientPath));
    if ((client.caBundle ?? '') !== '' && !options.allowInvalidCABundle)
      append(errors, validateCABundle(client.caBundle ?? '', clientPath.child('caBundle')));
  }
  return [...errors, ...validateReviews(reviews, reviewsPath, options.requireKnownReview)];
}

/** A required text that is one of a few. */
export function validateChoice(value: string, path: FieldPath, choices: readonly string[]): FieldError[] {
  if (value === '') return [required(path)];
  return choices.includes(value) ? [] : [notSupported(path, value, choices)];
}

function validateReviews(versions: readonly string[], path: FieldPath, requireKnown: boolean): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  versions.forEach((version, i) => {
    if (seen.has(version)) {
      errors.push(invalidValue(path.index(i), version, 'duplicate version'));
      return;
    }
    seen.add(version);
    for (const message of isDNS1035Label(version)) errors.push(invalidValue(path.index(i), version, message));
  });
  if (requireKnown && !hasKnownReview(versions))
    errors.push(invalidValue(path, versions, `must include at least one of ${known.join(', ')}`));
  return errors;
}

/** Whether the server speaks one of the versions of ConversionReview. */
export function hasKnownReview(versions: readonly string[]): boolean {
  return versions.some((version) => known.includes(version));
}

/** Certificates of a webhook's authority, as base64 of PEM. */
export function validateCABundle(bundle: string, path: FieldPath): FieldError[] {
  try {
    authoritiesOf(Buffer.from(bundle, 'base64'));
    return [];
  } catch (error) {
    return [invalidValue(path, bundle, messageOf(error))];
  }
}
