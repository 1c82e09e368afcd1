export function PedestalDrawing() {
  return (
    <svg
      viewBox="0 0 384 440"
      fill="none"
      strokeWidth="1.5"
      className="hidden w-96 lg:block"
      aria-hidden="true"
    >
      <g className="stroke-accent" strokeDasharray="6 6">
        <path d="M128 199V92a64 64 0 0 1 128 0v107" />
        <path d="M160 199V104a32 32 0 0 1 64 0v95" />
        <path d="M128 199h128" />
      </g>
      <g className="fill-surface stroke-ink">
        <path d="M72 200h240v28H72z" />
        <path d="M88 228h208v14H88z" />
        <path d="M104 242h176v118H104z" />
        <path d="M88 360h208v14H88z" />
        <path d="M64 374h256v30H64z" />
        <path d="M40 404h304v36H40z" />
      </g>
      <g className="stroke-edge">
        <path d="M124 262h136v78H124z" />
        <path d="M124 262l136 78M260 262l-136 78" strokeOpacity="0.35" />
      </g>
      <g className="stroke-edge">
        <path d="M12 200h16M20 200v240M12 440h16" />
        <path d="M356 28h16M364 28v412M356 440h16" />
      </g>
      <path className="stroke-line" d="M0 439.25h384" />
    </svg>
  )
}
