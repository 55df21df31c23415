import { X509Certificate } from 'node:crypto';
import { forbiddenValue, invalidValue, isDNS1035Label, isDNS1123Subdomain, isValidPortNum, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { parseURL } from '../values/go-url.ts';
import type { Conversion, ServiceReference } from './internal-spec.ts';

const known = ['v1', 'v1beta1'];
const desired = '; desired format: https://host[/path]';

export interface ConversionOptions {
  /** At least one review version must be one that the server speaks. */
  readonly requireKnownReview: boolean;
  readonly allowInvalidCABundle: boolean;
}

/** How versions are converted into each other. */
export function validateConversion(conversion: Conversion | undefined, path: FieldPath, options: ConversionOptions): FieldError[] {
  if (conversion === undefined) return [];
  const errors = validateChoice(conversion.strategy ?? '', path.child('strategy'), ['None', 'Webhook']);
  const client = conversion.webhook?.clientConfig;
  const reviews = conversion.webhook?.conversionReviewVersions ?? [];
  const clientPath = path.child('webhookClientConfig'), reviewsPath = path.child('conversionReviewVersions');
  if (conversion.strategy !== 'Webhook') {
    const text = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.push(forbiddenValue(clientPath, text));
    if (reviews.length > 0) errors.push(forbiddenValue(reviewsPath, text));
    return errors;
  }
  if (client === undefined) errors.push(required(clientPath, 'required when strategy is set to Webhook'));
  else {
    if ((client.url === undefined) === (client.service === undefined)) errors.push(required(clientPath, 'exactly one of url or service is required'));
    else if (client.url !== undefined) errors.push(...validateWebhookURL(client.url, clientPath.child('url')));
    else if (client.service !== undefined) errors.push(...validateWebhookService(client.service, clientPath.child('service')));
    if ((client.caBundle ?? '') !== '' && !options.allowInvalidCABundle) errors.push(...validateCABundle(client.caBundle ?? '', clientPath.child('caBundle')));
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
    if (seen.has(version)) { errors.push(invalidValue(path.index(i), version, 'duplicate version')); return; }
    seen.add(version);
    for (const message of isDNS1035Label(version)) errors.push(invalidValue(path.index(i), version, message));
  });
  if (requireKnown && !hasKnownReview(versions)) errors.push(invalidValue(path, versions, `must include at least one of ${known.join(', ')}`));
  return errors;
}

/** Whether the server speaks one of the versions of ConversionReview. */
export function hasKnownReview(versions: readonly string[]): boolean {
  return versions.some((version) => known.includes(version));
}

function validateWebhookURL(text: string, path: FieldPath): FieldError[] {
  const url = parseURL(text);
  if (typeof url === 'string') return [required(path, `url must be a valid URL: ${url}${desired}`)];
  const errors: FieldError[] = [];
  if (url.scheme !== 'https') errors.push(invalidValue(path, url.scheme, `'https' is the only allowed URL scheme${desired}`));
  if (url.host === '') errors.push(invalidValue(path, url.host, `host must be specified${desired}`));
  if (url.user !== undefined) errors.push(invalidValue(path, url.user, 'user information is not permitted in the URL'));
  if (url.fragment !== '') errors.push(invalidValue(path, url.fragment, 'fragments are not permitted in the URL'));
  if (url.rawQuery !== '') errors.push(invalidValue(path, url.rawQuery, 'query parameters are not permitted in the URL'));
  return errors;
}

function validateWebhookService(service: ServiceReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', namespace = '', port = 443, path: text } = service;
  // The reference hands namespace and name to its helper the wrong way round, so that each is missed under the other's field.
  if (namespace === '') errors.push(required(path.child('name')));
  if (name === '') errors.push(required(path.child('namespace')));
  const ports = isValidPortNum(port);
  if (ports.length > 0) errors.push(invalidValue(path.child('port'), port, `port is not valid: ${ports.join(', ')}`));
  if (text === undefined || text === '' || text === '/') return errors;
  const at = path.child('path');
  if (text === '//') return [...errors, invalidValue(at, text, 'segment[0] may not be empty')];
  if (!text.startsWith('/')) errors.push(invalidValue(at, text, "must start with a '/'"));
  const inner = text.slice(1);
  (inner.endsWith('/') ? inner.slice(0, -1) : inner).split('/').forEach((segment, i) => {
    if (segment === '') errors.push(invalidValue(at, text, `segment[${i}] may not be empty`));
    else for (const message of isDNS1123Subdomain(segment)) errors.push(invalidValue(at, text, `segment[${i}]: ${message}`));
  });
  return errors;
}

/** Certificates of a webhook's authority, as base64 of PEM. */
export function validateCABundle(bundle: string, path: FieldPath): FieldError[] {
  const pem = Buffer.from(bundle, 'base64').toString('latin1');
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  const usable = blocks.some((block) => {
    try {
      return new X509Certificate(block).subject !== undefined;
    } catch {
      return false;
    }
  });
  if (usable) return [];
  const reason = blocks.length > 0 ? 'failed to parse certificate' : /-----BEGIN [^-]+-----/.test(pem) ? 'no valid certificate authority data seen' : 'unable to parse bytes as PEM block';
  return [invalidValue(path, bundle, `unable to load root certificates: ${reason}`)];
}
