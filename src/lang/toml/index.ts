/**
 * TOML as Helm's templates write and read it (BurntSushi/toml): from Go values and to Go values.
 *
 * It takes and gives text. It knows neither Helm nor files.
 */
export { writeToml } from "./write.ts";
export { readToml } from "./read.ts";
