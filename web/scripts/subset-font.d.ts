declare module "subset-font" {
  interface Options {
    targetFormat?: "truetype" | "woff2";
    keepFeatures?: string[];
    variationAxes?: Record<string, number | { min: number; max: number }>;
  }
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options?: Options,
  ): Promise<Buffer>;
}
