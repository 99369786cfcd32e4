// Suggests what the administrator may have meant by an unknown name.
import { namesNear } from '../../core/nearest-name.ts';

const mostShown = 8;

/** In words: the nearest known names, or the first of all; '' if none is known. */
export function nameHint(name: string, known: readonly string[]): string {
  const near = namesNear(name, known);
  if (near.length > 0) return `did you mean ${near.slice(0, mostShown).join(' or ')}?`;
  if (known.length === 0) return '';
  return `known are ${known.slice(0, mostShown).join(', ')}${known.length > mostShown ? ' …' : ''}`;
}
