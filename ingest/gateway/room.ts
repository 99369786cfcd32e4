// Limits how much the gateway processes at once: pushes, and bytes of their bodies. Above the limits a sender must retry (backpressure),
// and nothing of its push is accepted. One key never gets more than half of the room. If another key needs room, the key that holds most
// gives way: the largest of its bodies that are still arriving is refused. Complete bodies are never cancelled.
import { comeBack, type GatewayRefusal } from './gateway-refusal.ts';

export type RoomLimits = { pushes: number; bytes: number };

/** A body takes about ten times its size while it is processed. */
export const defaultRoom: RoomLimits = { pushes: 512, bytes: 32 * 1024 * 1024 };

/** The room of one push. */
export type HeldRoom = {
  /** Holds this many bytes from now on. If that is refused, the push holds none, so that other bodies of its key fit. */
  hold(bytes: number): GatewayRefusal | null;
  /** Its body is arriving, until `giveWay` is null: meanwhile it may have to give way. */
  mayGiveWay(giveWay: ((refusal: GatewayRefusal) => void) | null): void;
  leave(): void;
};

type Measure = 'pushes' | 'bytes';
type Held = Record<Measure, number> & { key: string; giveWay: ((refusal: GatewayRefusal) => void) | null };

export class Room {
  readonly #limits: RoomLimits;
  readonly #most: RoomLimits;
  readonly #places = new Set<Held>();
  readonly #total: RoomLimits = { pushes: 0, bytes: 0 };
  readonly #ofKeys = new Map<string, RoomLimits>();

  constructor(limits: RoomLimits) {
    this.#limits = limits;
    this.#most = { pushes: Math.ceil(limits.pushes / 2), bytes: Math.ceil(limits.bytes / 2) };
  }

  /** Admits a push of a key, or refuses it. */
  enter(key: string): HeldRoom | GatewayRefusal {
    const refusal = this.#makeRoom(key, 'pushes', 1);
    if (refusal !== null) return refusal;
    const held: Held = { key, pushes: 0, bytes: 0, giveWay: null };
    this.#places.add(held);
    this.#add(held, 'pushes', 1);
    return {
      hold: (bytes) => {
        const more = bytes - held.bytes;
        const refusal = more > 0 ? this.#makeRoom(key, 'bytes', more, held.bytes) : null;
        this.#add(held, 'bytes', refusal === null ? more : -held.bytes);
        return refusal;
      },
      mayGiveWay: (giveWay) => {
        held.giveWay = giveWay;
      },
      leave: () => this.#release(held),
    };
  }

  /** Makes room for more of a key whose push already holds `own`; a refusal if there is none. A push that is alone always fits. */
  #makeRoom(key: string, measure: Measure, more: number, own = 0): GatewayRefusal | null {
    const mine = this.#ofKeys.get(key)?.[measure] ?? 0;
    if (mine > own && mine + more > this.#most[measure])
      return comeBack('rate-limited', `too ${wordsOf[measure]} of the key are under way at once`, room);
    while (this.#total[measure] > own && this.#total[measure] + more > this.#limits[measure]) {
      const other = this.#whoGivesWay(measure, mine + more);
      if (other === null) return comeBack('rate-limited', `too ${wordsOf[measure]} are under way at once`, room);
      const { giveWay } = other;
      this.#release(other);
      giveWay?.(comeBack('rate-limited', 'the key holds most of the room, which another key needs', room));
    }
    return null;
  }

  /** The largest arriving body of the key that holds most, if that is more than `than`. */
  #whoGivesWay(measure: Measure, than: number): Held | null {
    let found: Held | null = null;
    let mostOfKey = than;
    for (const place of this.#places) {
      if (place.giveWay === null) continue;
      const ofKey = this.#ofKeys.get(place.key)?.[measure] ?? 0;
      if (ofKey < mostOfKey || (ofKey === mostOfKey && (found === null || place.bytes <= found.bytes))) continue;
      found = place;
      mostOfKey = ofKey;
    }
    return found;
  }

  #add(held: Held, measure: Measure, more: number): void {
    held[measure] += more;
    this.#total[measure] += more;
    const ofKey = this.#ofKeys.get(held.key) ?? { pushes: 0, bytes: 0 };
    ofKey[measure] += more;
    if (ofKey.pushes === 0) this.#ofKeys.delete(held.key);
    else this.#ofKeys.set(held.key, ofKey);
  }

  #release(held: Held): void {
    if (!this.#places.delete(held)) return;
    held.giveWay = null;
    this.#add(held, 'bytes', -held.bytes);
    this.#add(held, 'pushes', -held.pushes);
  }
}

/** The limit under which its refusals are counted. */
const room = { limit: 'room' };

const wordsOf: Readonly<Record<Measure, string>> = { pushes: 'many pushes', bytes: 'many bytes' };
