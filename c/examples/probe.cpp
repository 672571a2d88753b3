// Probes positions, a FEN a line, from several threads:
//
//     probe orthodox ../tables < fens.txt
//
// Prints for each line what the side to move makes of it (1, 0, -1), the plies to the end, and the best
// turn; or what is wrong.

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "finale.h"

namespace {

std::string answer(const FinaleTables *tables, const std::string &fen) {
    FinaleAnswer found;
    if (finale_probe(tables, fen.c_str(), &found) != FINALE_STATUS_OK) {
        return finale_last_error();
    }
    char turn[32] = "-";
    const FinaleStatus status = finale_best_turn(tables, fen.c_str(), turn, sizeof turn);
    if (status != FINALE_STATUS_OK && status != FINALE_STATUS_OVER) {
        return finale_last_error();
    }
    return std::to_string(found.wdl) + " " + std::to_string(found.plies) + " " + turn;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fprintf(stderr, "probe GAME FOLDER < FENS\n");
        return 2;
    }
    const std::unique_ptr<FinaleTables, decltype(&finale_close)> tables(
        finale_open(argv[1], argv[2], nullptr), finale_close);
    if (!tables) {
        std::fprintf(stderr, "probe: %s\n", finale_last_error());
        return 1;
    }
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) {
        lines.push_back(line);
    }
    constexpr std::size_t kThreads = 4;
    std::vector<std::thread> threads;
    for (std::size_t first = 0; first < kThreads; ++first) {
        threads.emplace_back([&, first] {
            for (std::size_t at = first; at < lines.size(); at += kThreads) {
                lines[at] = answer(tables.get(), lines[at]);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    for (const std::string &line : lines) {
        std::cout << line << '\n';
    }
}
