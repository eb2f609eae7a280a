/** Words that the fixed texts of API servers and of Sluice are made of, and that are values of Secrets now and then. */
const words = new Set(
  `a an and any are as at be by can cannot for from has in is it must no not of on only or than that the this to was with
  admin allow allowed annotation annotations any api apply array auth base64 basic bearer bool boolean bytes byte cert certificate
  change changed cluster config configmap content conversion convert create created data database default delete denied deny deployment
  disabled enabled env error example existing expected exists failed false field fields file forbidden found got group guest host hook
  http https illegal immutable input integer internal invalid job key kind label labels length list live local localhost manager map
  master mode more name namespace new none null number object objects off old pass password path pod policy port postgres prod production
  proper public quota read required resource root schema script secret secrets server service short size spec stage staging status string
  strict test time token true type unknown unsupported update user username value values version volume webhook write yaml yes`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/**
 * Whether a value is a word, or one or two letters or digits, as messages have them whatever a Secret holds. Without such a
 * word a message says nothing, and hiding it tells what the Secret holds.
 */
export function isMessageWord(value: string): boolean {
  return /^[\p{L}\p{N}]{1,2}$/u.test(value) || words.has(value.toLowerCase());
}
