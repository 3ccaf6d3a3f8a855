import { commandAnswer } from "../records/command-result.ts";
import { type NowPlaying, nowPlaying } from "../records/now-playing.ts";
import type { Service } from "../service.ts";
import type { ReadInput, ZoneInput } from "./inputs.ts";

/**
 * The music of a zone. Each command throws `MaybeCarriedOutError` when its answer was lost: it is not repeated, since
 * a second `skip` would skip another song.
 */
export class Music {
  readonly #service: Service;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
  }

  /** What plays, what comes and what was. `GET music/now_playing`. */
  nowPlaying({ zoneId, ...options }: ZoneInput & ReadInput): Promise<NowPlaying> {
    return this.#service.ask({
      method: "GET",
      path: "ext/music/now_playing",
      query: { zone_id: zoneId },
      answer: nowPlaying,
      ...options,
    });
  }

  /** Ends the song that plays; the next one starts at once. `POST music/skip`. */
  skip(input: ZoneInput): Promise<void> {
    return this.#command("skip", input);
  }

  /** `POST music/start`. */
  start(input: ZoneInput): Promise<void> {
    return this.#command("start", input);
  }

  /** `POST music/stop`. */
  stop(input: ZoneInput): Promise<void> {
    return this.#command("stop", input);
  }

  /** `POST music/volume`. @param input `volume` from 0 to 100, a whole number */
  setVolume({ volume, ...input }: ZoneInput & { volume: number }): Promise<void> {
    return this.#command("volume", input, { volume });
  }

  #command(action: string, { zoneId, signal }: ZoneInput, more: object = {}): Promise<void> {
    return this.#service.ask({
      method: "POST",
      path: `ext/music/${action}`,
      body: { zone_id: zoneId, ...more },
      ...commandAnswer,
      signal,
    });
  }
}
