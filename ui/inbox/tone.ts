/** Two short notes, made here: no file to load. Off unless a person switched it on. */
const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.12;
const LOUDNESS = 0.08;

let audio: AudioContext | undefined;

export function playTone(): void {
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume().catch(() => undefined); // nobody has touched the page yet
  for (const [index, hz] of NOTES_HZ.entries()) playNote(audio, hz, audio.currentTime + index * NOTE_SECONDS);
}

function playNote(context: AudioContext, hz: number, atSeconds: number): void {
  const note = new OscillatorNode(context, { frequency: hz });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(LOUDNESS, atSeconds);
  gain.gain.exponentialRampToValueAtTime(0.001, atSeconds + NOTE_SECONDS);
  note.connect(gain).connect(context.destination);
  note.start(atSeconds);
  note.stop(atSeconds + NOTE_SECONDS);
}
