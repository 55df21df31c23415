import { goJSON } from '@kubechain/apimachinery';

/** Without vowels and what looks like them: names that are made of it spell nothing (apimachinery's util/rand). */
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The name part of a revision: FNV-1 over its data as Go writes it, keys sorted, and over the collisions so far; the
 * same value as kube-controller-manager's. Source: history.HashControllerRevision (1.36).
 */
export function revisionHash(data: object, collisionCount: number): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${goJSON(inGoOrder(data))}${collisionCount}`))
    hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return safeEncode(String(hash));
}

/** Each character by its code's rest. */
export function safeEncode(text: string): string {
  return Array.from(text, (character) => safeAlphabet[character.charCodeAt(0) % safeAlphabet.length]).join('');
}

/** Members in the order in which Go writes those of maps. */
export function inGoOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inGoOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inGoOrder(item)]));
}
