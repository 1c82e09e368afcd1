export function PedestalDrawing() {
  return (
    <svg
      viewBox="0 0 320 300"
      fill="none"
      strokeWidth="1.5"
      className="hidden w-80 self-end lg:block"
      aria-hidden="true"
    >
      <path
        className="stroke-accent"
        strokeDasharray="5 5"
        d="M104 139V76a56 56 0 0 1 112 0v63M104 139h112"
      />
      <path
        className="fill-surface stroke-ink"
        d="M60 140h200v22H60zM72 162h176v12H72zM84 174h152v82H84zM72 256h176v12H72zM52 268h216v24H52z"
      />
      <path className="stroke-edge" d="M100 190h120v50H100z" />
      <path className="stroke-line" d="M0 292h320" />
      <path className="stroke-edge" d="M20 140h12M26 140v152M20 292h12" />
    </svg>
  )
}
