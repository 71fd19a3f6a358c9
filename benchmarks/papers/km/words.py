"""What the paper says of each figure, and what is seen here: title, the paper's claim, what agrees."""

WORDS = {
    "10": (
        "database size, |I| = 40, k = 100, m = 3",
        "OA and DA perform alike, their trees hardly grow with |D|; AA is faster and smaller at first, and "
        "converges to both as fewer short itemsets are rare. All three reach the optimal loss.",
        "The same, to the convergence of AA's tree at 15,000 transactions, and all reach the optimum. OA is "
        "dearer than DA here, since DA walks the tree without building it, and OA still looks at every cut.",
    ),
    "11": (
        "domain size, |D| = 10,000, k = 100, m = 3",
        "DA and AA grow linearly with |I|, OA exponentially; the trees of OA and DA grow superlinearly, that "
        "of AA less. The loss of all is the optimum.",
        "The same: OA takes 5 to 8 times as long with ten items more, its tree doubles, that of AA grows by "
        "half and less, and all lose the same.",
    ),
    "12": (
        "m, |D| = 10,000, |I| = 40, k = 100",
        "OA and DA do not scale with m, as their trees grow exponentially; AA grows linearly. The loss of DA "
        "and AA is very close to the optimum.",
        "The trees are the paper's: 53 to 225,327 nodes for OA and DA, no more than 1,908 for AA. Seconds "
        "hardly grow here, where nothing is built. DA and AA miss the optimum at m = 2 (.0638 against .0443).",
    ),
    "13": (
        "AA on the original sets",
        "AA runs in acceptable time with a manageable tree and loses at most 3%; k changes little; a height "
        "of 4 leaves nothing but a trivial cut; time grows with m.",
        "On the part of BMS-POS and on WV2 the loss is 1% and 4%, and it grows with m. On WV1 even the "
        "optimum loses 11%, k = 1,000 leaves the root alone, and k makes the tree smaller: our fanout ends in "
        "a ragged last group.",
    ),
    "14": (
        "AA, LRA and VPA on the three sets",
        "LRA is far slower and larger than AA, most of all on WV1, whose few long records fall into one part; "
        "VPA is the fastest and smallest, and loses about what AA does.",
        "VPA has the smallest trees everywhere, six times smaller on WV1 and WV2, and loses what AA does. LRA "
        "is no slower here: its parts have k transactions at least, and as many as were asked for.",
    ),
    "15": (
        "k, BMS-POS",
        "VPA is the fastest and smallest; all are fast and small for a large k. The loss of LRA and VPA "
        "becomes significantly larger at k = 1,000.",
        "Trees and times shrink with k in the same way, and VPA's stay the smallest but for those of LRA from "
        "k = 100 on. LRA loses least from k = 20 on; at 1,000 every cut but the root is too fine for a ragged "
        "hierarchy.",
    ),
    "16": (
        "m, BMS-POS",
        "VPA and LRA scale much better than AA with m, VPA consistently the fastest; the losses are similar.",
        "Losses agree. With m the published ones all take longer here, and VPA longest: its last pass over "
        "all transactions is what remains where no tree is built. Its trees are the smallest at every m that "
        "was counted. Staged AA hardly takes longer at m = 4 than at 3.",
    ),
    "17": (
        "height of the hierarchy, BMS-POS",
        "A finer hierarchy loses less and may take longer; VPA needs significantly less memory than both others.",
        "Trees and seconds grow with the height, and VPA's tree is the smallest at heights 4 and 5. "
        "The loss falls up to height 5 and rises at 7, whose ragged last groups only the root makes frequent; "
        "at height 2 there is nothing but the root, and LRA's .82.",
    ),
    "18": (
        "parts, flexibility of LRA, level of VPA, BMS-POS",
        "With more parts memory and quality decrease, not steadily; flexibility and level have no significant effect.",
        "More parts need smaller trees, but for VPA's from 5 parts to 10; LRA loses .0138 with 10 parts and .0093 with "
        "5, VPA about the same throughout. Flexibility and level change little: .0092 to .0102, and .0090 to .0097.",
    ),
    "19": (
        "parallel parts",
        "LRA gains little from running its parts at a time, for one of them dominates; VPA's are balanced, so "
        "that it gains the most, and needs less memory.",
        "Not measured on many processors: each part is timed alone, and where parts run at a time the longest "
        "counts. LRA's parts dominate here too; VPA's do on BMS-POS as well, where one part has most "
        "transactions, and its last pass remains. Its trees at a time are smaller on all sets.",
    ),
    "20": (
        "ML² and dML², k = 5, m = 3, mean of supports 1, 2 and 3%",
        "The share of frequent itemsets that are detected only at a more general level is low, and these are "
        "found one or two levels higher.",
        "On the part of BMS-POS a quarter of the frequent itemsets is lost, a level higher. On WV1 and WV2 more "
        "than half is: at m = 3 nearly every item of theirs is generalised. What is lost is found one or two "
        "levels higher.",
    ),
    "21": (
        "ML² over k, m and support, BMS-POS",
        "ML² grows linearly with k and m, and decreases with the support threshold.",
        "It grows with both: with m from nothing to a half, with k from a quarter to .81 at k = 100, and at 1,000 our "
        "ragged hierarchy leaves the root alone, so that all is lost. Over the support it falls from .39 to .20.",
    ),
    "22": (
        "dML² over k, m and support, BMS-POS",
        "But for m = 1, where little is generalised, dML² hardly changes.",
        "So it is: 1.00 to 1.22 levels, and nothing is lost at m = 1. Only at k = 1,000, where the root alone is left, "
        "it is 3.66.",
    ),
    "23": (
        "VPA and Partition, BMS-POS",
        "VPA with small m loses less than k-anonymity by Partition, and more with large m, from m = 5 on; "
        "with m = 3 VPA keeps its advantage over all k. Partition takes about 20 seconds, VPA up to nearly "
        "five hours at m = 6.",
        "The crossover is there: VPA as published loses more than Partition from m = 4 on (.0248 against "
        ".0238), staged VPA at m = 6 (.02378 against .02380 at m = 5). VPA keeps its advantage up to k = 100, "
        "not at 1,000, where our ragged hierarchy leaves the root alone. At m = 6 VPA as published did not "
        "end in its 240 seconds; staged it takes half a second.",
    ),
}
