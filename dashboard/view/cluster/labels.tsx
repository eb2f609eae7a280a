/** The labels of an object. */
export function Labels({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const pairs = Object.entries(labels).toSorted(([a], [b]) => a.localeCompare(b));
  if (pairs.length === 0) return null;
  return (
    <ul class="labels" aria-label="Labels">
      {pairs.map(([key, value]) => (
        <li key={key}>
          <span class="quiet">{key}</span>={value}
        </li>
      ))}
    </ul>
  );
}
