// A window of requests that the product does not have: what counts requests, or says how many, must do so for any.
import { type RequestWindow, requestWindow } from '../../../core/limits/request-window.ts';

export const anHour: RequestWindow = { ms: 3_600_000, name: 'hour', inWords: 'an hour' };

export const windows = [requestWindow, anHour] as const;
