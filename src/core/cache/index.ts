/**
 * A bounded cache in memory, which evicts the least recently used entry first.
 *
 * It knows neither time nor what it caches.
 */
export { LruCache, type LruCacheOptions } from "./lru-cache.ts";
